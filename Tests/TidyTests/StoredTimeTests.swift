import Testing

/// Stored times may have been written by a clock that was wrong: who compares them with the clock says why that does no harm.
@Suite struct `Stored times` {
    private static let folders =
        Floors.statefulServices.map { "Services/\($0)" } + ["Shared/Delivery", "Shared/AppStore"]

    /// Files that compare times themselves and not by `DueTimes`, each with the reason.
    private static let inCode = [
        "Services/Entitlements/Core/Grant.swift": "the order of two facts",
        "Services/Entitlements/Core/Holding.swift":
            "Apple's dates: what is held now, computed anew whenever asked",
        "Services/Entitlements/Core/ToldHolding.swift": "finds what a clock has told that was ahead",
        "Services/Entitlements/EntitlementsService.swift": "a figure for the operator",
        "Services/Orders/Core/OrderExpiry.swift": "an order's age, by its corrected issue",
        "Services/Orders/Core/PurchaseTime.swift": "an issue that lies ahead does not count",
        "Services/Orders/Core/RecheckSchedule.swift": "finds an issue that a wrong clock has dated",
        "Services/Receipts/Core/ChainHolder.swift": "two of Apple's dates",
        "Services/Receipts/Core/ConsumptionRequest.swift":
            "Apple's date, by which an answer is of no use any more",
        "Services/Receipts/Core/HistoryCursor.swift": "finds what a wrong clock has dated",
        "Services/Receipts/Core/NotificationHint.swift": "seconds; what lies ahead does not count",
        "Services/Receipts/Core/RenewalCheck.swift":
            "Apple's dates, compared again after the clock was set back",
        "Services/Receipts/Store/SubmissionRecord.swift": "until when a restore counts: longer, at worst",
        "Services/Receipts/Verification/ProofsReadAhead.swift": "seconds; what lies ahead does not count",
        "Services/Receipts/Workers/RetentionSweep.swift": "an age: what is old is kept longer, at worst",
        "Shared/AppStore/ServerAPI/BearerTokens.swift": "a token from the future is not used",
        "Shared/Delivery/Engine/BatchWork.swift": "asks the worker again after the clock was set back",
        "Shared/Delivery/Engine/PartitionState.swift": "finds that the clock was set back",
        "Shared/Delivery/Wire/RequestClient.swift": "a clock that only moves forward",
    ]

    /// As `inCode`, of comparisons in SQL.
    private static let inSQL = [
        "Services/Entitlements/Store/ToldHoldingStore.swift": "finds what a clock has told that was ahead",
        "Services/Receipts/Store/ClaimStore+Chain.swift": "two of Apple's dates",
        "Services/Receipts/Store/ClaimStore+LineItem.swift": "two of Apple's dates",
        "Services/Receipts/Store/ConsumptionRequestStore.swift":
            "Apple's date, compared again after the clock was set back",
        "Services/Receipts/Store/ReconciliationStore.swift": "an age: what is old is kept longer, at worst",
        "Services/Receipts/Store/RenewalCheckStore.swift":
            "Apple's dates, compared again after the clock was set back",
        "Services/Receipts/Store/SubmissionStore+Retention.swift":
            "an age: what is old is kept longer, at worst",
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
            for (number, line) in lines(file).enumerated() where line.contains(pattern) {
                used.insert(file.path)
                #expect(allowed[file.path] != nil, "\(file.path):\(number + 1) compares a stored time")
            }
        }
        #expect(used == Set(allowed.keys), "allowed for nothing: strike it off the list")
    }
}
