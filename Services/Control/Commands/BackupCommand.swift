import ArgumentParser
import Delivery
import Program

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the stores of all partitions into a new folder, while the group runs.",
        discussion: """
            The owner of each partition copies its store between its transactions; the command then reads every copy \
            and writes what they are into manifest.json. The folder appears when it is whole. Run it as the user that \
            runs the services. The configuration, its keys and certificates are not in it.

            Exit code 0: the backup is whole. 2: the folder cannot be used, another backup of this home runs, a disk \
            is full, or the stores are copies of a commit log in PostgreSQL, which is what to back up. 3: a partition \
            did not answer. Whatever fails, nothing of the backup stays.
            """
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "The folder to make.")
    var folder: String

    func run() async throws {
        let home = option.home
        try home.checkStoresAreNoCopies()
        do {
            let manifest = try await PartitionInquiry.of(home) { group in
                try await BackupRound(home: home, group: group, folder: BackupFolder(folder)) { print($0) }
                    .carryOut()
            }
            print("\(manifest.stores.count) stores are in \(BackupFolder(folder).path)")
        } catch let fault where fault is SystemFault || fault is OfflineStore.Fault {
            throw CommandFailure.usage("\(fault); nothing of the backup stays")
        } catch let failure as CommandFailure where failure.isSilence {
            let problem = "\(failure); nothing of the backup stays"
            throw CommandFailure(description: problem, exitCode: CommandFailure.incompleteCode)
        }
    }
}
