module bot

go 1.26.0

require ballcourt v0.0.0

replace ballcourt => ./sdk
