package ballcourt

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const mostParameter = 1e15 // in either direction

var parameterShape = regexp.MustCompile(`^([^=]+)=(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)$`)

// ParameterSet has the parameters that bot.toml declares, as the organiser has set them.
type ParameterSet struct {
	names  []string
	values map[string]string // as they were written
}

// Parameters returns the parameters of the bot. Their values never change while it runs.
func Parameters() ParameterSet { return ownParameters() }

var ownParameters = sync.OnceValue(func() ParameterSet {
	set, err := readParameters(os.Getenv("BALLCOURT_PARAMETERS"))
	if err != nil {
		leave(2, err.Error())
	}
	return set
})

// readParameters reads a list such as "depth=4,trust=0.5". The last value of a name counts.
func readParameters(written string) (ParameterSet, error) {
	set := ParameterSet{values: map[string]string{}}
	for word := range strings.SplitSeq(written, ",") {
		if word == "" {
			continue
		}
		found := parameterShape.FindStringSubmatch(word)
		if found == nil || !inRange(found[2]) {
			return set, fmt.Errorf("BALLCOURT_PARAMETERS is '%s'; it must be NAME=NUMBER, several separated by commas, "+
				"for example depth=4,trust=0.5", written)
		}
		if _, again := set.values[found[1]]; !again {
			set.names = append(set.names, found[1])
		}
		set.values[found[1]] = found[2]
	}
	return set, nil
}

func inRange(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	return err == nil && math.Abs(value) <= mostParameter
}

// Names returns the names of the parameters.
func (p ParameterSet) Names() []string { return p.names }

// Whole returns the value of a parameter whose numbers in bot.toml are whole. If there is none, it ends the program with
// a sentence.
func (p ParameterSet) Whole(name string) int64 { return orLeave(p.whole(name)) }

// Number returns the value of a parameter. If there is none, it ends the program with a sentence.
func (p ParameterSet) Number(name string) float64 { return orLeave(p.number(name)) }

func (p ParameterSet) whole(name string) (int64, error) {
	written, err := p.written(name)
	if err != nil {
		return 0, err
	}
	value, err := strconv.ParseInt(written, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the parameter '%s' is %s; it must be a whole number: write its default, least and most in "+
			"bot.toml without a point", name, written)
	}
	return value, nil
}

func (p ParameterSet) number(name string) (float64, error) {
	written, err := p.written(name)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(written, 64)
}

func (p ParameterSet) written(name string) (string, error) {
	if value, known := p.values[name]; known {
		return value, nil
	}
	declared := "none"
	if len(p.names) > 0 {
		declared = strings.Join(p.names, ", ")
	}
	return "", errors.New("there is no parameter '" + name + "'; bot.toml declares " + declared)
}

func orLeave[T any](value T, err error) T {
	if err != nil {
		leave(1, err.Error())
	}
	return value
}
