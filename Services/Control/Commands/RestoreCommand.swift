import ArgumentParser
import Contracts
import Delivery
import Glibc
import Program

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a backup back, whole or a partition of it, while nothing of the group runs.",
        discussion: """
            Each file is compared with the backup's manifest first. All links from and to what is put back begin \
            anew, and at the next start every current state is sent over them again: purchases come back, none twice. \
            What only the lost store knew is gone and is listed before anything changes: spends, credits and \
            consents, unpaid orders and registered account tokens since the backup. The stores that lay there are \
            kept below data/former of the home.

            Nothing of the group starts while a restore is at work, or after one that was interrupted; then run it \
            again, with this or another backup of the same partitions or more.

            Without --partition everything is put back, also into a home that `counterfoil init` has just made with as \
            many partitions. Example: counterfoil restore /backups/monday --partition entitlements/2
            """
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "The folder that `counterfoil backup` made.")
    var folder: String

    @Option(
        name: .customLong("partition"),
        help: "Only this partition, such as entitlements/2; may be repeated.",
        transform: RestoreCommand.address
    )
    var partitions: [PartitionAddress] = []

    @Flag(help: "A home that has stores and lost data/home.id is the one that was backed up.")
    var adoptIdentity = false

    func run() throws {
        try option.home.checkStoresAreNoCopies()
        let folder = BackupFolder(folder)
        let now = ClockReading.current().now
        let round = RestoreRound(
            home: option.home,
            folder: folder,
            manifest: try folder.manifest(),
            chosen: Set(partitions),
            adoptsIdentity: adoptIdentity,
            now: now,
            crash: option.home.crashSwitch(of: "restore"),
            report: Self.show
        )
        do {
            let stores = try round.carryOut()
            print(
                "start the group; `counterfoil links list` shows how far its links have sent everything again"
            )
            if let first = stores.filter({ $0.service == .receipts }).map(\.copiedAt).min() {
                Self.adviseReconciliation(since: first, now: now)
            }
        } catch let fault where fault is SystemFault || fault is OfflineStore.Fault {
            throw CommandFailure.usage("\(fault)")
        }
    }

    private static func show(_ lines: [String]) {
        for line in lines { print(line) }
        // Whatever becomes of this process: what is lost is told once.
        fflush(nil)
    }

    /// A clock that was ahead has dated the backup too late.
    private static func adviseReconciliation(since backup: Timestamp, now: Timestamp) {
        let since = min(backup, now).rfc3339
        print("then `counterfoil reconcile --since \(since)`: Apple knows the notifications since")
        guard backup > now else { return }
        print("the clock was ahead when the backup was made: name the time at which it was really made")
    }

    private static func address(_ text: String) throws -> PartitionAddress {
        guard let address = PartitionAddress(text.hasPrefix("/") ? text : "/" + text) else {
            throw ValidationError("'\(text)' is no partition, such as entitlements/2.")
        }
        return address
    }
}
