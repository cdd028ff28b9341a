import ArgumentParser

struct DeadlineOption: ParsableArguments {
    static let seconds = 1...86_400

    @Option(name: .customLong("timeout"), help: "Seconds after which the command stops waiting.")
    var seconds = 120

    var milliseconds: Int64 { Int64(seconds) * 1_000 }

    mutating func validate() throws { try Self.seconds.check(seconds, as: "--timeout") }
}
