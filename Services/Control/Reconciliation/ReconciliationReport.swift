import Contracts

/// What Apple knew and what became of it here.
struct ReconciliationReport: Equatable {
    let isDryRun: Bool
    /// Notifications that Apple told of, each as often as it did.
    private(set) var notifications = 0
    private(set) var transactions: [FoundTransaction.Key: FoundTransaction] = [:]
    private(set) var unusable: [UnusableFinding] = []
    /// What could not be asked or waited for, a line each.
    var problems: [String] = []
    /// The partitions that said nothing.
    private(set) var missed = MissedPartitions()

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Whether a part could not be done; what is here is true all the same.
    var isIncomplete: Bool { !problems.isEmpty || unusable.contains(where: \.isRefused) }

    /// Takes in a page of findings.
    ///
    /// - Returns: those that can be handed in.
    mutating func take(_ findings: [AppleAnswerV1.Finding]) -> [UsableFinding] {
        var usable: [UsableFinding] = []
        for finding in findings {
            if finding.signedPayload != nil || finding.notificationUUID != nil { notifications += 1 }
            do throws(UnusableFinding) {
                usable.append(try UsableFinding(finding))
            } catch {
                unusable.append(error)
            }
        }
        for found in usable.compactMap(\.found) {
            transactions[found.key, default: found].merge(found)
        }
        return usable
    }

    /// Takes note of what could not be asked or waited for, and of whom.
    mutating func note(_ failure: CommandFailure, about what: String? = nil) {
        problems.append([what, failure.description].compactMap(\.self).joined(separator: ": "))
        if let address = failure.missed { missed.note(address, failure) }
    }

    /// The transactions of these findings of which nobody was asked yet how they stood.
    func unasked(in findings: [UsableFinding]) -> [FoundTransaction] {
        Set(findings.compactMap(\.found?.key)).compactMap { transactions[$0] }.filter { $0.before == nil }
    }

    /// How the transaction of a finding stood; nil when there is none, or it is not known.
    func before(_ finding: UsableFinding) -> Standing? {
        finding.found.flatMap { transactions[$0.key]?.before }
    }

    /// The transactions of which more is to be expected, or that were not looked at again.
    var unsettled: [FoundTransaction] { transactions.values.filter { !$0.isSettled } }

    /// Takes in how transactions stood before anything was handed in.
    mutating func note(before standings: [FoundTransaction.Key: Standing]) {
        for (key, standing) in standings { transactions[key]?.before = standing }
    }

    /// Takes in how transactions stand now.
    mutating func note(after standings: [FoundTransaction.Key: Standing]) {
        for (key, standing) in standings { transactions[key]?.after = standing }
    }

    /// A finding is on its way.
    mutating func noteHandedIn(_ finding: UsableFinding) {
        if let key = finding.found?.key { transactions[key]?.isHandedIn = true }
    }

    /// A finding was not taken.
    mutating func noteRefused(_ finding: UsableFinding, _ failure: CommandFailure) {
        unusable.append(UnusableFinding(finding, refused: failure))
    }
}
