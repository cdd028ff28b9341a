import ArgumentParser
import Contracts
import FoundationEssentials
import Program

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Makes SQLite files from the commit log in PostgreSQL.",
        subcommands: [Export.self]
    )

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a SQLite file of each partition, for SQL of your own.",
            discussion: """
                The files are made from the log alone, whether the group runs or not, and no owner notices. They \
                are `<service>/<partition>.sqlite` in the folder, each as its partition was at one moment. The same \
                command again brings them up to date, as long as nobody has written into them. What they hold is \
                secret.

                Exit code 2: the home has no log, the log does not answer, or a file is in the way.
                """
        )

        @OptionGroup var option: HomeOption

        @Argument(help: "The folder of the files.")
        var folder: String

        func run() throws {
            let home = option.home
            let configuration = try Configuration(writtenIn: home)
            guard let store = configuration.store else {
                let problem = "is missing; the stores are SQLite files already, below \(home.dataFolder)"
                throw ConfigurationError(file: home.configurationFile, member: "store", problem: problem)
            }
            let log = try GroupLog(store, of: home)
            try log.check()
            let export = StoreExport(log, into: folder)
            for service in ServiceName.allCases {
                try makeFolder("\(folder)/\(service.rawValue)")
                for number in 0..<configuration.partitions {
                    let partition = PartitionAddress(service, number)
                    let position = try export.make(partition)
                    print("\(export.path(of: partition)) is at entry \(position)")
                }
            }
        }

        private func makeFolder(_ path: String) throws {
            do {
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                let problem = FileAccess.reason(path) ?? "cannot be made: \(error)"
                throw ConfigurationError(file: path, problem: problem)
            }
        }
    }
}
