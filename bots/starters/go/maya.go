package main

import (
	"slices"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

// maya plants while it can, the kind it has most of, and fills the board from one corner because groups score.
func maya(legal []uint32, own *pb.MayaPrivate) []uint32 {
	const (
		plant     = uint32(pb.MayaAction_MAYA_ACTION_ACT_PLANT)
		firstTile = uint32(pb.MayaAction_MAYA_ACTION_TILE_PEPPER_1)
		stop      = uint32(pb.MayaAction_MAYA_ACTION_STOP)
		firstCell = uint32(pb.MayaAction_MAYA_ACTION_CELL_A1)
	)
	if legal[0] == plant || legal[0] >= firstCell {
		return legal[:1]
	}
	tiles := slices.DeleteFunc(slices.Clone(legal), func(action uint32) bool { return action < firstTile || action >= stop })
	if len(tiles) == 0 {
		return nil
	}
	return []uint32{slices.MaxFunc(tiles, func(a, b uint32) int {
		return int(own.Rack[a-firstTile]) - int(own.Rack[b-firstTile])
	})}
}
