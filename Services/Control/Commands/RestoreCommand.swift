import ArgumentParser
import Contracts
import Delivery
import Program

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a backup back, whole or a partition of it, while nothing of the group runs.",
        discussion: """
            Each file is compared with the backup's manifest first. All links from and to what is put back begin \
            anew, and at the next start every current state is sent over them again: purchases come back, none twice. \
            What only the lost store knew is gone and is listed: spends, credits and unpaid orders made since the \
            backup. The stores that lay there are kept below data/former of the home.

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

    func run() throws {
        let folder = BackupFolder(folder)
        let round = RestoreRound(
            home: option.home,
            folder: folder,
            manifest: try folder.manifest(),
            chosen: Set(partitions),
            now: ClockReading.current().now,
            crash: option.home.crashSwitch(of: "restore")
        )
        do {
            let reports = try round.carryOut()
            for line in reports.flatMap(\.lines) { print(line) }
            print(
                "start the group; `counterfoil links list` shows how far its links have sent everything again"
            )
            if let first = reports.first(where: { $0.store.service == .receipts })?.store.copiedAt {
                print(
                    "then `counterfoil reconcile --since \(first.rfc3339)`: Apple knows the notifications since"
                )
            }
        } catch let fault as SystemFault {
            throw CommandFailure.usage(fault.description)
        } catch let fault as OfflineStore.Fault {
            throw CommandFailure.usage(fault.description)
        }
    }

    private static func address(_ text: String) throws -> PartitionAddress {
        guard let address = PartitionAddress(text.hasPrefix("/") ? text : "/" + text) else {
            throw ValidationError("'\(text)' is no partition, such as entitlements/2.")
        }
        return address
    }
}
