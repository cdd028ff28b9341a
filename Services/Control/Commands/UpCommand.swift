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
            it ends. Programs that are silent for 5 seconds are killed and started again.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Return as soon as the gateway is ready; the group runs on in the background.")
    var detach = false

    @Option(help: "Replicas of every service with partitions.")
    var replicas = 1

    @Option(help: "The least level that the programs log.")
    var logLevel = LogLevel.info

    mutating func validate() throws {
        guard (1...ScalePlan.maximumReplicas).contains(replicas) else {
            throw ValidationError("--replicas must be from 1 to \(ScalePlan.maximumReplicas).")
        }
    }

    func run() throws {
        if !detach { Launch.endWhenAsked() }
        let home = option.home
        _ = try (Configuration(of: home), Catalog(of: home))
        try home.makeFolders()
        if detach {
            try DetachedGroup(home: home, replicas: replicas, logLevel: logLevel).start()
        } else {
            try runGroup(home)
        }
    }

    private func runGroup(_ home: Home) throws {
        Launch.prepare()
        let lock = try GroupLock(home: home)
        let launcher = ChildLauncher(
            folder: Executables.folder,
            home: home,
            logLevel: logLevel,
            environment: ProcessInfo.processInfo.environment
        )
        try launcher.checkExecutables()
        try Supervisor(home: home, launcher: launcher, replicas: replicas).run()
        _ = consume lock
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
