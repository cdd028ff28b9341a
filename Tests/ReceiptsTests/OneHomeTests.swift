import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Payments whose transactions several chains state, all at once.
@Suite struct `a payment that several chains state` {
    /// What is stated of some payments, and what is under way between the partitions.
    private struct Race {
        let group = ReceiptsGroup()
        var random: SeededRandom
        var inputs: [(signed: SignedTransaction, submission: Submission?)] = []
        /// All that was ever an input.
        private(set) var statements: [SignedTransaction] = []
        var underWay: [OutgoingEvent] = []
        /// The receipts for which Orders was asked.
        var proposed: Set<ReceiptID> = []
        /// The purchases of which an alarm has said that they may be held here, though another chain has a name.
        private(set) var alarmed: Set<PurchaseID> = []
        /// Whether Orders may find a buyer.
        private let mayHold: Bool
        private var steps = 0

        init(seed: Int, isOwned: Bool, mayHold: Bool = false) {
            self.mayHold = mayHold
            group.answersNames = false
            random = SeededRandom(seed: seed)
            let chains = Array(["7", "9", "20", "30"].shuffled(using: &random).prefix(2 + random.below(3)))
            for payment in 0...random.below(3) {
                let ids = (0...random.below(3)).map { "\(100 * (payment + 1) + $0)" }
                for _ in 0...(2 + random.below(6)) {
                    let chain = random.pick(chains)
                    // The first period of the first chain has its id.
                    let isFirst = payment == 0 && chain == chains[0] && random.flip()
                    let signed = `a purchase with names`.period(
                        isFirst ? chain : random.pick(ids),
                        of: chain,
                        lineItem: "\(70 + payment)",
                        isOwned: isOwned || random.flip(),
                        signed: Int64(random.below(5))
                    )
                    inputs.append((signed, random.flip() ? submission(inputs.count) : nil))
                    statements.append(signed)
                }
            }
        }

        private func submission(_ number: Int) -> Submission {
            Submission(receiptId: Sample.receipt(UInt8(number)), submitter: Sample.alice)
        }

        /// Takes what comes next, or delivers something that is under way, once or again.
        mutating func step() throws {
            steps += 1
            try #require(steps < 3_000, "messages go round")
            if random.happens(perMille: 100) { try answer() }
            if underWay.isEmpty || !inputs.isEmpty && random.flip() {
                guard let next = inputs.popLast() else { return }
                try note(group.verify(next.signed, next.submission).sent)
            } else {
                let index = random.below(underWay.count)
                let event = underWay[index]
                if !random.happens(perMille: 150) { underWay.remove(at: index) }
                try note(group.deliver(event))
            }
        }

        private mutating func note(_ sent: [OutgoingEvent]) throws {
            underWay += sent.filter { $0.to.service == .receipts }
            proposed.formUnion(try sent.bodies(ClaimProposedV1.self).compactMap { $0.submission?.receiptId })
            for alarm in group.alarms where alarm.contains("may be held here") {
                let purchase = try #require(alarm.split(separator: " ").dropFirst(2).first)
                alarmed.insert(PurchaseID(unchecked: String(purchase)))
            }
        }

        // MARK: Orders

        /// Lets Orders answer a proposal; returns whether there was one.
        @discardableResult
        mutating func answer() throws -> Bool {
            let isHeld = mayHold && random.flip()
            for partition in 0..<ReceiptsGroup.partitions {
                guard let (facts, attempt) = try proposal(in: partition) else { continue }
                if isHeld {
                    let holder = Sample.holder
                    let answer = ClaimHeldV1(
                        facts,
                        attempt: attempt,
                        buyerId: holder.buyer,
                        orderId: holder.order,
                        evidence: .caller
                    )
                    try note(group.handle(answer, in: partition, OnClaimHeld().callAsFunction).sent)
                } else {
                    let answer = ClaimRefusedV1(facts, attempt: attempt, reason: .unknownOrder, buyerId: nil)
                    try note(group.handle(answer, in: partition, OnClaimRefused().callAsFunction).sent)
                }
                return true
            }
            return false
        }

        private func proposal(in partition: Int) throws -> (TransactionFacts, attempt: Int)? {
            try group.run(partition) { context -> (TransactionFacts, attempt: Int)? in
                let store = ClaimStore(connection: context.connection)
                let records = try store.records("state = 'proposed' ORDER BY purchase_id")
                guard let record = records.first else { return nil }
                return (try store.facts(record.key), record.claim.attempt)
            }.outcome
        }

        /// Runs until nothing is under way, and nobody is asked for anything.
        mutating func finish() throws {
            repeat {
                while !inputs.isEmpty || !underWay.isEmpty { try step() }
            } while try answer()
            #expect(try waiting() == 0)
        }

        // MARK: Looking

        static func names(of signed: SignedTransaction) throws -> [String] {
            PurchaseName.names(of: try #require(TransactionFacts(signed))).map(\.text)
        }

        /// How many purchases the statements are, by line item: chains have one if they state one name, or if one of
        /// them leads to the other.
        func purchases(leading aliases: [String: String] = [:]) throws -> [String: Int] {
            try Dictionary(grouping: statements) { $0.lineItem ?? "" }.mapValues { statements in
                var purchases: [Set<String>] = []
                for signed in statements {
                    var purchase = Set(try Self.names(of: signed))
                    var chain: String? = signed.originalTransactionId
                    while let known = chain, purchase.insert(known).inserted { chain = aliases[known] }
                    for known in purchases where !known.isDisjoint(with: purchase) {
                        purchase.formUnion(known)
                    }
                    purchases.removeAll { !$0.isDisjoint(with: purchase) }
                    purchases.append(purchase)
                }
                return purchases.count
            }
        }

        /// To which chain each leads that had no purchase of its own when a purchase went there.
        func aliases() throws -> [String: String] {
            var aliases: [String: String] = [:]
            let sql = "SELECT original_transaction_id, home_id FROM chain_alias"
            for partition in 0..<ReceiptsGroup.partitions {
                for row in try group.harness.rows(sql, partition: partition) {
                    let chain: String = try row["original_transaction_id"]
                    aliases[chain] = try row["home_id"]
                }
            }
            return aliases
        }

        /// The claims to which the statements lead by now, by what they state.
        func homes(
            by keys: (SignedTransaction) throws -> [String]
        ) throws -> [String: Set<PurchaseID>] {
            var homes: [String: Set<PurchaseID>] = [:]
            for signed in statements {
                let home = try home(of: signed)
                for key in try keys(signed) { homes[key, default: []].insert(home) }
            }
            return homes
        }

        private func home(of signed: SignedTransaction) throws -> PurchaseID {
            var signed = signed
            for _ in 0...TransactionVerifiedV1.maximumAliases {
                let facts = try #require(TransactionFacts(signed))
                let partition = ReceiptsGroup.partition(of: signed)
                let found = try group.run(partition) { context -> (TransactionID?, PurchaseID?) in
                    let (id, key) = (facts.transactionId, ChainKey(facts))
                    let home = try NameWorkflow.home(of: id, facts.purchaseId, on: key, in: context)
                    let claims = ClaimStore(connection: context.connection)
                    return (home, try claims.record(of: facts)?.key.purchaseID)
                }
                guard let chain = found.outcome.0 else { return try #require(found.outcome.1) }
                signed.originalTransactionId = chain.rawValue
            }
            throw HarnessFault("aliases go round")
        }

        /// How many claims there are, by line item.
        func claims() throws -> [String: Int] {
            var claims: [String: Int] = [:]
            for partition in 0..<ReceiptsGroup.partitions {
                let found = try group.run(partition) { context -> [String] in
                    let store = ClaimStore(connection: context.connection)
                    return try store.records("TRUE").map { try store.signed($0.key).lineItem ?? "" }
                }
                for lineItem in found.outcome { claims[lineItem, default: 0] += 1 }
            }
            return claims
        }

        private func waiting() throws -> Int {
            try (0..<ReceiptsGroup.partitions).map {
                try group.rows("SELECT 1 FROM name_message", partition: $0).count
            }.reduce(0, +)
        }
    }

    @Test(arguments: 0..<100)
    func `is one purchase at one home, and no submission is lost, in whatever order messages come`(
        seed: Int
    ) throws {
        var race = Race(seed: seed, isOwned: true)
        let lineItems = Set(race.inputs.compactMap { $0.signed.lineItem })
        let receipts = Set(race.inputs.compactMap { $0.submission?.receiptId })
        try race.finish()
        #expect(try race.claims() == Dictionary(uniqueKeysWithValues: lineItems.map { ($0, 1) }))
        #expect(race.proposed == receipts)
    }

    /// An app receipt does not say who has bought, so that its line item is no name; another statement may say it
    /// later.
    @Test(arguments: 0..<100)
    func `is one purchase wherever chains state one name, if only late`(seed: Int) throws {
        var race = Race(seed: seed, isOwned: false)
        try race.finish()
        #expect(try race.homes(by: Race.names).values.allSatisfy { $0.count == 1 })
        let claims = try race.claims()
        #expect(try race.homes { [$0.lineItem ?? ""] }.mapValues(\.count) == claims)
        // A chain that leads to another as a whole takes along what no name leads there, unless it is there already.
        let (fewest, most) = (try race.purchases(leading: race.aliases()), try race.purchases())
        for (lineItem, count) in claims {
            #expect(count >= fewest[lineItem, default: .max] && count <= most[lineItem, default: 0])
        }
    }

    /// A name that is stated late, once the purchase is asked for or held, is the only one that cannot be kept to one
    /// home.
    @Test(arguments: 0..<100)
    func `is held by several chains only if all but one have raised an alarm`(seed: Int) throws {
        var race = Race(seed: seed, isOwned: false, mayHold: true)
        try race.finish()
        for homes in try race.homes(by: Race.names).values {
            #expect(homes.subtracting(race.alarmed).count <= 1)
        }
        #expect(try race.homes { [$0.lineItem ?? ""] }.mapValues(\.count) == race.claims())
    }

    @Test(arguments: 0..<100)
    func `is held once, whatever Orders answers, where every statement has its names`(seed: Int) throws {
        var race = Race(seed: seed, isOwned: true, mayHold: true)
        try race.finish()
        #expect(try race.claims().values.allSatisfy { $0 == 1 })
    }
}
