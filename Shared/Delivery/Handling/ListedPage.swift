package import Contracts
package import Database
import Domain

extension RequestOutcome<DeskPage> {
    /// The answer to a question for a page of a list: what `page` reads, and an empty one where it has no such list.
    package static func page(
        of request: DeskListV1,
        _ page: (DeskListV1) throws -> DeskPage?
    ) rethrows -> Self {
        guard DeskListV1.limits.contains(request.limit) else { return .refused(.pageTooLong) }
        return .reply(try page(request) ?? DeskPage(rows: [], hasMore: false))
    }
}

extension DeskListV1 {
    /// The condition of the proposals that another operator can still confirm, from the start of the page on.
    ///
    /// It is for pages by `proposed_at, proposal_id`; what was proposed more than 7 days before waits no more.
    package func proposals(at now: Timestamp) -> SQL {
        let first = DeskPage.Place(since: now.advanced(by: -Approval.validMilliseconds), key: "")
        let start = max(after ?? first, first)
        let range: SQL = "(proposed_at, proposal_id) > (\(start.since), \(start.key))"
        guard let before else { return range }
        return "\(range) AND proposed_at < \(before)"
    }
}
