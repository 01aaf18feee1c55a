package main

import (
	"slices"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

// tzolkin builds whenever it can, and saves corn to feed its workers.
func tzolkin(legal []uint32, me *pb.TzolkinPlayer) []uint32 {
	const build, end = uint32(pb.TzolkinAction_TZOLKIN_ACTION_BUILD_1), uint32(pb.TzolkinAction_TZOLKIN_ACTION_END)
	last := legal[len(legal)-1]
	if last >= build {
		return []uint32{last}
	}
	if slices.Contains(legal, end) && me.Corn < 2*me.Workers {
		return []uint32{end}
	}
	return nil
}
