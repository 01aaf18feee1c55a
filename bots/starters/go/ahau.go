package main

import (
	"slices"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

// declined are the actions that decline an offer.
var declined = []uint32{
	uint32(pb.AhauAction_AHAU_ACTION_STAND_FAST),
	uint32(pb.AhauAction_AHAU_ACTION_NO_BONUS),
	uint32(pb.AhauAction_AHAU_ACTION_NO_SUMMON),
	uint32(pb.AhauAction_AHAU_ACTION_PASS),
	uint32(pb.AhauAction_AHAU_ACTION_STOP_BUILDING),
}

// ahau builds when it has enough resources, accepts offers, and never trades.
func ahau(legal []uint32, me *pb.AhauActor) []uint32 {
	const (
		build = uint32(pb.AhauAction_AHAU_ACTION_BUILD)
		trade = uint32(pb.AhauAction_AHAU_ACTION_QUEEN_PASS) // the first action of the Queen; trades follow
		means = 3
	)
	var resources uint32
	for _, count := range me.Resources {
		resources += count
	}
	if slices.Contains(legal, build) && resources >= means {
		return []uint32{build}
	}
	return slices.DeleteFunc(slices.Clone(legal), func(action uint32) bool {
		return action >= trade || slices.Contains(declined, action)
	})
}
