package import Contracts

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
