import Contracts
import Delivery
import Domain

extension Reconciliation {
    /// Most Apple accounts with which a buyer may have paid in one environment.
    static let maximumAccounts = 10
    /// Entries in a page of a ledger.
    private static let ledgerPage = 1_000
    /// Most pages of a ledger.
    private static let maximumLedgerPages = 100

    /// Asks for all that the Apple accounts have bought that a buyer's ledger leads to: of an account, any transaction
    /// will do.
    func readPurchases(
        of buyer: BuyerID,
        in places: [ReconciliationErrand.Place],
        since: Timestamp?,
        _ report: inout ReconciliationReport
    ) async throws {
        var isKnown = false
        for place in places {
            do {
                let held = try await transactions(of: buyer, in: place)
                isKnown = isKnown || !held.isEmpty
                try await readHistories(of: held, in: place, since: since, &report)
            } catch let failure as CommandFailure {
                isKnown = true
                report.note(failure, about: "\(place.bundleID) \(place.environment)")
            }
        }
        guard !isKnown else { return }
        report.problems.append(
            "no transaction of \(buyer) is known here by which Apple could be asked: give --apple-order with "
                + "the number on Apple's e-mail, or let the phone send its receipt again"
        )
    }

    /// Asks for an order of one app after the other; when one has it, the others need not know it.
    func readOrder(
        _ number: String,
        of apps: [BundleID],
        _ report: inout ReconciliationReport
    ) async throws {
        let problems = report.problems
        for app in apps {
            var question = AppleAskV1(bundleId: app, environment: .production, question: .order)
            question.appleOrderId = number
            guard let named = try await read(question, &report), !named.isEmpty else { continue }
            report.problems = problems
            return
        }
    }

    /// Asks for one account after the other: what no history has named yet was bought with a further one.
    private func readHistories(
        of held: [TransactionID],
        in place: ReconciliationErrand.Place,
        since: Timestamp?,
        _ report: inout ReconciliationReport
    ) async throws {
        var rest = held
        for _ in 0..<Self.maximumAccounts {
            guard let transaction = rest.first else { return }
            var question = AppleAskV1(
                bundleId: place.bundleID,
                environment: place.environment,
                question: .history
            )
            question.transactionId = transaction
            question.since = since
            guard let named = try await read(question, &report) else { return }
            rest.removeAll { $0 == transaction || named.contains($0) }
        }
        // With `since`, what is older stands in no answer, and nothing follows from that.
        guard since == nil, !rest.isEmpty else { return }
        throw CommandFailure(
            description: "\(rest.count) transactions were paid by yet other Apple accounts than the "
                + "\(Self.maximumAccounts) that were asked about"
        )
    }

    /// The transactions in a buyer's ledger, the newest first.
    private func transactions(
        of buyer: BuyerID,
        in place: ReconciliationErrand.Place
    ) async throws -> [TransactionID] {
        let address = PartitionKey.buyer(buyer, of: place.bundleID).address(
            in: .entitlements,
            of: group.partitions
        )
        var question = LedgerGetV1(
            bundleId: place.bundleID,
            buyerId: buyer,
            environment: place.environment,
            limit: Self.ledgerPage
        )
        var found: [TransactionID] = []
        for _ in 0..<Self.maximumLedgerPages {
            let page = try await group.ask(question, of: address)
            found += page.entries.map(\.transactionId)
            guard let next = page.next else { break }
            question.after = next
        }
        var seen: Set<TransactionID> = []
        return found.reversed().filter { seen.insert($0).inserted }
    }
}
