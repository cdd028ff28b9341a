import ArgumentParser
import FoundationEssentials
import Program

struct UpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Runs every service and the gateway, shows their logs, and restarts what ends.",
        discussion: """
            Stays in the foreground until `counterfoil down`, Ctrl-C or SIGTERM; the services end with it, however \
            it ends. Programs that do not answer for 5 seconds are killed and restarted; one whose configuration is \
            wrong is not. The configuration is read once, here: all programs run with the same, until \
            `counterfoil restart`. They take up each catalog that `counterfoil catalog load` loads. While \
            PostgreSQL does not answer, they begin and wait for it.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Return as soon as the gateway is ready; the group runs on in the background.")
    var detach = false

    @Option(help: "Replicas of every service with partitions.")
    var replicas = 1

    @Option(help: "The lowest level that the programs log.")
    var logLevel = LogLevel.info

    @Option(name: .customLong("timeout"), help: "With --detach: seconds after which the group is given up.")
    var seconds = DetachedGroup.defaultSeconds

    mutating func validate() throws {
        try DeadlineOption.seconds.check(seconds, as: "--timeout")
        try ScalePlan.replicas.check(replicas, as: "--replicas")
    }

    func run() throws {
        let home = option.home
        guard !detach else {
            return try DetachedGroup(home: home, replicas: replicas, logLevel: logLevel, seconds: seconds)
                .start()
        }
        Launch.endWhenAsked()
        Launch.prepare()
        let launcher = ChildLauncher.standard(home, logLevel: logLevel)
        // Read before the folders are made: an unusable home stays unchanged.
        _ = try ConfigurationSnapshot(of: home)
        try home.makeFolders()
        let lock = try CommandSocket.lock(home)
        let snapshot = try ConfigurationCheck(home: home, launcher: launcher).run(waitsForLog: true)
        let supervisor = try Supervisor(
            home: home,
            holding: lock,
            launcher: launcher,
            snapshot: snapshot,
            replicas: replicas
        )
        let ended = Result { try supervisor.run() }
        // Only now: `down` returns when its connection closes, and another `up` may begin.
        try withExtendedLifetime(supervisor) { try ended.get() }
    }
}

extension ChildLauncher {
    static func standard(_ home: Home, logLevel: LogLevel = .info) -> ChildLauncher {
        ChildLauncher(
            folder: Executables.folder,
            home: home,
            logLevel: logLevel,
            environment: ProcessInfo.processInfo.environment
        )
    }
}

/// The folder of this program, which holds the group's programs too.
enum Executables {
    static var folder: String { String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)) }

    static var own: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
