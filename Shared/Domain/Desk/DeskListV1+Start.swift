package import Contracts

extension DeskListV1 {
    /// Where a page of proposals begins that another operator can still confirm: what was proposed more than 7 days
    /// before waits no more.
    package func startOfProposals(at now: Timestamp) -> DeskPage.Place {
        let first = DeskPage.Place(since: now.advanced(by: -Approval.validMilliseconds), key: "")
        return max(after ?? first, first)
    }
}
