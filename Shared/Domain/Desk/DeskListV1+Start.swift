package import Contracts

extension DeskListV1 {
    /// Where a page begins: behind the last row of the page before.
    package var start: DeskPage.Place { after ?? DeskPage.Place(since: Timestamp(milliseconds: 0), key: "") }

    /// Where a page of proposals begins that another operator can still confirm: what was proposed more than 7 days
    /// before waits no more.
    package func startOfProposals(at now: Timestamp) -> DeskPage.Place {
        max(start, DeskPage.Place(since: now.advanced(by: -Approval.validMilliseconds), key: ""))
    }
}
