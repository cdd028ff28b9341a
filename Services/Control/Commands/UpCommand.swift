import ArgumentParser
import Foundation
import Program

/// `counterfoil up`: runs the group.
struct UpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Runs every service and the gateway, shows their logs, and starts again what ends.",
        discussion: """
            Stays in the foreground until `counterfoil down`, Ctrl-C or SIGTERM; the services end with it, however \
            it ends. Programs that are silent for 5 seconds are killed and started again; one that says that its \
            configuration is wrong is not. Configuration and catalog are read once, here: all programs run with the \
            same, until `counterfoil restart`.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Return as soon as the gateway is ready; the group runs on in the background.")
    var detach = false

    @Option(help: "Replicas of every service with partitions.")
    var replicas = 1

    @Option(help: "The least level that the programs log.")
    var logLevel = LogLevel.info

    @Option(name: .customLong("timeout"), help: "With --detach: seconds after which the group is given up.")
    var seconds = DetachedGroup.standardSeconds

    mutating func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--timeout must be from 1 to 86400.")
        }
        guard (1...ScalePlan.maximumReplicas).contains(replicas) else {
            throw ValidationError("--replicas must be from 1 to \(ScalePlan.maximumReplicas).")
        }
    }

    func run() throws {
        if !detach { Launch.endWhenAsked() }
        let home = option.home
        if detach {
            let group = DetachedGroup(home: home, replicas: replicas, logLevel: logLevel, seconds: seconds)
            try group.start()
        } else {
            try runGroup(home)
        }
    }

    private func runGroup(_ home: Home) throws {
        Launch.prepare()
        let launcher = ChildLauncher.standard(home, logLevel: logLevel)
        // Said before the folders are made, so that a home that is of no use stays as it was.
        _ = try ConfigurationSnapshot(of: home)
        try home.makeFolders()
        let lock = try GroupLock(home: home)
        let configuration = try ConfigurationCheck(home: home, launcher: launcher).run()
        let supervisor = try Supervisor(
            home: home,
            launcher: launcher,
            configuration: configuration,
            replicas: replicas
        )
        try supervisor.run()
        _ = consume lock
    }
}

extension ChildLauncher {
    /// Starts the programs beside this one.
    static func standard(_ home: Home, logLevel: LogLevel = .info) -> ChildLauncher {
        ChildLauncher(
            folder: Executables.folder,
            home: home,
            logLevel: logLevel,
            environment: ProcessInfo.processInfo.environment
        )
    }
}

/// Where the programs of the group are: beside this one.
enum Executables {
    /// The folder of this program.
    static var folder: String {
        String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex))
    }

    /// This program.
    static var own: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
