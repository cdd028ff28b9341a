import ArgumentParser
import FoundationEssentials
import Glibc
import Program

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Carries a home, while nothing of its group runs, into a commit log in PostgreSQL.",
        discussion: """
            Each store becomes the first snapshot of its partition's log. Then a store is made from the log alone and \
            compared with it, table by table and byte by byte: counts, and every sum over them, are the same. When all \
            are proven, counterfoil.json names the log, and from then on every commit is in PostgreSQL before anybody \
            is told of it. There must be as much free space as the largest store takes, twice. Make a backup first: \
            `counterfoil backup` and `counterfoil restore` are not for a home with a log.

            Until the end nothing changes but the log. If it is interrupted, run it again; the group may refuse to \
            start meanwhile. Afterwards `counterfoil up`, then `counterfoil audit`.

            Exit code 2: the group runs, the home has a log, PostgreSQL does not answer or may lose what it \
            acknowledges, or the log is another group's or holds what a group has written.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "postgresql://USER@HOST/DATABASE: where every commit is to be kept, too.")
    var to: StoreOption

    @Option(help: "A file of mode 0600 with the password in its first line.")
    var passwordFile: String?

    @Flag(help: "Take a PostgreSQL that may lose with one machine what it has acknowledged.")
    var allowSingle = false

    mutating func validate() throws {
        if to.password != nil, passwordFile != nil {
            throw ValidationError("--to has a password, and --password-file names another one.")
        }
    }

    func run() throws {
        let home = option.home
        // Before anything is written into the home, such as a password in place of one that is in use.
        try HomeMove.checkHasNoLog(Configuration(writtenIn: home), of: home)
        var place = Configuration.Store(url: to.url, group: "")
        place.passwordFile = try passwordFile(in: home)
        place.allowSingle = allowSingle
        do {
            let crash = home.crashSwitch(of: "move")
            try HomeMove(home: home, place: place, report: Self.show, crash: crash).carryOut()
        } catch {
            try forgetPassword(in: home)
            if let fault = error as? SystemFault { throw CommandFailure.usage("\(fault)") }
            throw error
        }
        print("\(home.configurationFile) names the log now: \(to.url)")
        if allowSingle { print("ON ONE MACHINE, perhaps: --allow-single takes that") }
        print("next: counterfoil up --home \(home.root), then counterfoil audit --home \(home.root)")
    }

    /// Where the configuration finds the password; one in the URL is written into a file of the home.
    private func passwordFile(in home: Home) throws -> String? {
        guard let password = to.password else { return passwordFile.map(InitCommand.absolute) }
        let file = home.path(InitCommand.passwordFile)
        try DurableFile.replace(file, with: Data("\(password)\n".utf8))
        return InitCommand.passwordFile
    }

    /// Unless the configuration names its file by now.
    private func forgetPassword(in home: Home) throws {
        guard to.password != nil, try Configuration(writtenIn: home).store == nil else { return }
        try DurableFile.remove(home.path(InitCommand.passwordFile))
    }

    private static func show(_ line: String) {
        print(line)
        fflush(nil)
    }
}
