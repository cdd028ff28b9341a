import ArgumentParser
import Contracts
import Delivery
import FoundationEssentials
import Program

struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract:
            "Asks Apple what was bought and refunded, hands in what was missed, and prints what changed.",
        discussion: """
            Apple's notifications since a time, unless a buyer or an order is named; of a buyer, everything that the \
            Apple accounts have bought that paid for what is in the ledger. What Apple tells takes the usual road; \
            what is known already has no further effect, so that it may be run again at any time. The group must run, \
            and the app needs `appStoreServer` in counterfoil.json. Examples:

              counterfoil reconcile --since 7d
              counterfoil reconcile --buyer ada
              counterfoil reconcile --apple-order MVXXXXXXXX --dry-run

            The group does it, and goes on when this command is interrupted; --follow with the id that is printed on \
            the way follows it again, and prints the same.

            Exit code 0: Apple was asked for everything. 1: a part could not be done; it says which, and what was \
            found is handed in. 2: wrong usage. 3: a partition of the group did not answer.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(help: "A time as in RFC 3339, or how long ago: 7d, 36h, 90m (default for notifications: 24h).")
    var since: StartTime?

    @Option(help: "The buyer whose purchases are asked for; with --since those that changed since then.")
    var buyer: BuyerID?

    @Option(help: "The order number on Apple's e-mail to the buyer; production only.")
    var appleOrder: String?

    @Option(help: "The bundle id of the app (default: every app of counterfoil.json).")
    var app: BundleID?

    @Option(help: "Only this environment: production or sandbox (default: all that the app has).")
    var environment: VerifyCommand.ExpectedEnvironment?

    @Flag(help: "Ask only; hand nothing in.")
    var dryRun = false

    @Option(help: "Follow the reconciliation with this id, which goes on already; start none.")
    var follow: EventID?

    @Flag(help: "Print what did not change, too.")
    var verbose = false

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        if since != nil, appleOrder != nil, buyer == nil {
            throw ValidationError("--since says nothing about an order; leave it out with --apple-order.")
        }
        if appleOrder != nil, environment == .sandbox {
            throw ValidationError("The sandbox has no order numbers; leave out --environment.")
        }
        if let appleOrder, !TransactionID.isValid(appleOrder) {
            throw ValidationError("'\(appleOrder)' is no order number; it is of letters and digits.")
        }
        let isFree = since == nil && buyer == nil && appleOrder == nil && app == nil && environment == nil
        if follow != nil, !isFree || dryRun {
            throw ValidationError(
                "--follow goes with --verbose and --json only; what is asked for is final."
            )
        }
    }

    func run() async throws {
        let report = try await report()
        for warning in report.warnings { Terminal.warn(warning) }
        if json {
            try Terminal.printJSON(report.object(all: verbose))
        } else {
            print(report.text(all: verbose))
        }
        try report.missed.check("the answer")
        if report.isIncomplete { throw ExitCode.failure }
    }

    private func report() async throws -> ReconciliationReport {
        if let follow {
            return try await PartitionInquiry.of(option.home) { group in
                try await ReconciliationFollower(group: group, id: follow, isVerbose: verbose).follow()
            }
        }
        let apps = try Configuration(of: option.home).apps
        let plan = try ReconciliationPlan(self, apps: apps, now: ClockReading.current().now)
        for note in plan.notes { Terminal.warn(note) }
        let id = EventID(unchecked: UUID().uuidString.lowercased())
        return try await PartitionInquiry.of(option.home) { group in
            try await ReconciliationFollower(group: group, id: id, isVerbose: verbose)
                .start(plan, isDryRun: dryRun)
        }
    }
}
