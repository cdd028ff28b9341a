import ArgumentParser
import Contracts
import FoundationEssentials
import Program

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Makes SQLite files from the commit log, and lets a partition go on that is quarantined.",
        subcommands: [Export.self, Resume.self]
    )

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets a partition be taken again whose log has lost what it had acknowledged.",
            discussion: """
                Such a partition is QUARANTINED in `counterfoil status`, which says why. What the log has lost may be \
                in a copy on one of the hosts, below its data folder: move that to a safe place first, because its \
                host takes the partition no more while it is there. From then on the partition goes on from what the \
                log holds; links to it that notice are quarantined, and `counterfoil links redrive` tells it again \
                what the others know.

                Exit code 1: the partition is not quarantined. Exit code 2: the home has no log, or the log does not \
                answer.
                """
        )

        @OptionGroup var option: HomeOption

        @Argument(help: "The partition, such as /orders/3.")
        var partition: PartitionAddress

        func run() throws {
            let log = try StoreCommand.log(of: option.home)
            guard try log.resume(partition) else {
                throw CommandFailure(description: "\(partition) is not quarantined")
            }
            print("\(partition) may be taken again, from what its log holds")
        }
    }

    /// - Throws: `ConfigurationError`, also of a home without a log.
    private static func log(of home: Home) throws(ConfigurationError) -> GroupLog {
        guard let store = try Configuration(writtenIn: home).store else {
            let problem = "is missing; the stores are SQLite files already, below \(home.dataFolder)"
            throw ConfigurationError(file: home.configurationFile, member: "store", problem: problem)
        }
        let log = try GroupLog(store, of: home)
        try log.check()
        return log
    }

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
            let export = StoreExport(try StoreCommand.log(of: option.home), into: folder)
            let partitions = try Configuration(writtenIn: option.home).partitions
            for service in ServiceName.allCases {
                try makeFolder("\(folder)/\(service.rawValue)")
                for number in 0..<partitions {
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
