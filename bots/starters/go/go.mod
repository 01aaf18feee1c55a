module bot

go 1.26.0

require github.com/ballcourt/ballcourt-go v0.1.0

replace github.com/ballcourt/ballcourt-go => ./sdk
