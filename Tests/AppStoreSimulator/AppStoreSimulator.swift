import Program

/// `counterfoil-appstore`: an App Store with a root certificate of its own, for tests and demonstrations.
@main
enum AppStoreSimulator {
    /// Runs until SIGTERM or SIGINT.
    @concurrent static func main() async {
        await Launch.main(SimulatorCommand.self) { @Sendable command in try await command.serve() }
    }
}

/// What the operator has to change before the simulator can run.
struct WrongConfiguration: ProgramError {
    let description: String

    var exitCode: Int32 { Launch.usageCode }
}
