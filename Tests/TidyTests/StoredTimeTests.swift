import Testing

/// Stored times may have been written by a clock that was wrong: who compares them with the clock says why that does no
/// harm.
@Suite struct `Stored times` {
    private static let folders =
        Floors.statefulServices.map { "Services/\($0)" } + ["Shared/Delivery", "Shared/AppStore"]

    /// Files that compare times themselves and not by `DueTimes`, each with the reason.
    private static let inCode = [
        "Entitlements/AppleOrderLease": "a lease that ends far ahead does not run",
        "Entitlements/Grant": "the order of two facts",
        "Entitlements/Holding": "Apple's dates: what is held now, computed anew whenever asked",
        "Entitlements/ToldHolding": "finds what a clock has told that was ahead",
        "Entitlements/EntitlementsService": "a figure for the operator",
        "Orders/OrderExpiry": "an order's age, by its corrected issue",
        "Orders/Order+PurchaseTime": "an issue that lies ahead does not count",
        "Orders/PaymentLookupSchedule": "finds an issue that a wrong clock has dated",
        "Receipts/AppleOrderQuestion": "a question that lies ahead is asked again",
        "Receipts/ChainHolder": "two of Apple's dates",
        "Receipts/ConsumptionRequest": "Apple's date, by which an answer is of no use any more",
        "Receipts/HistoryCursor": "finds what a wrong clock has dated",
        "Receipts/ServerNotificationHint": "seconds; what lies ahead does not count",
        "Receipts/RenewalCheck": "Apple's dates, compared again after the clock was set back",
        "Receipts/SharedAnswers": "an answer that lies ahead does not count",
        "Receipts/RestoreWindow": "a restore that a clock ahead has dated counts longer",
        "Receipts/ProofsReadAhead": "seconds; what lies ahead does not count",
        "Receipts/RetentionSweep": "an age: what a clock ahead has dated stays longer",
        "AppStore/BearerTokens": "a token from the future is not used",
        "Delivery/Batch+Work": "asks the worker again after the clock was set back",
        "Delivery/PartitionState": "finds that the clock was set back",
        "Delivery/RequestClient": "a clock that only moves forward",
        "Receipts/RenewalCheckStore": "Apple's date, compared again after the clock was set back",
    ]

    /// As `inCode`, of comparisons in SQL.
    private static let inSQL = [
        "Entitlements/AppleOrderLeaseStore": "forgets what has ended; one that ends ahead does not run",
        "Entitlements/ToldHoldingStore": "finds what a clock has told that was ahead",
        "Entitlements/ParkedGrants": "an age that an operator asks for",
        "Entitlements/ContestedCompensations": "an age that an operator asks for",
        "Entitlements/ProposedCompensations": "an age that an operator asks for",
        "Notifications/UndeliveredWebhooks": "an age that an operator asks for",
        "Receipts/AppleOrderStore": "an age: a clock ahead forgets early, and Apple may be asked anew",
        "Receipts/ProposedMoves": "an age that an operator asks for",
        "Receipts/ParkedProofs": "an age that an operator asks for",
        "Receipts/ClaimStore+Chain": "two of Apple's dates",
        "Receipts/ClaimStore+LineItem": "two of Apple's dates",
        "Receipts/NameMessageStore": "two of Apple's dates",
        "Receipts/ConsumptionRequestStore": "Apple's date, compared again after the clock was set back",
        "Receipts/ReconciliationStore": "an age: what a clock ahead has dated stays longer",
        "Receipts/RenewalCheckStore": "Apple's dates, compared again after the clock was set back",
        "Receipts/SubmissionStore+Retention": "an age: what a clock ahead has dated stays longer",
    ]

    @Test func `are compared with the clock by DueTimes alone, or for a reason`() throws {
        let pattern = try Regex(#"\bnow\s*[<>]=?\s|[<>]=?\s+(\w+\.)*now\b"#)
        try check(pattern, Self.inCode) { $0.codeLines }
    }

    @Test func `are compared by the store in ranges of DueTimes alone, or for a reason`() throws {
        let pattern = try Regex(#"\b(due|\w+_(at|until))\s*([<>]=?|BETWEEN)\s*\\\("#)
        try check(pattern, Self.inSQL) { $0.lines }
    }

    private func check(
        _ pattern: Regex<AnyRegexOutput>,
        _ allowed: [String: String],
        _ lines: (SourceFile) -> [Substring]
    ) throws {
        var used: Set<String> = []
        for file in try House.sources(Self.folders) {
            let name = file.nameInModule
            for (number, line) in lines(file).enumerated() where line.contains(pattern) {
                used.insert(name)
                #expect(allowed[name] != nil, "\(file.path):\(number + 1) compares a stored time")
            }
        }
        #expect(used == Set(allowed.keys), "allowed for nothing: strike it off the list")
    }
}
