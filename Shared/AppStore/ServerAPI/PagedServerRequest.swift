/// A request whose response comes in pages.
package protocol PagedServerRequest: AppStoreServerRequest {
    /// The request for the page after `response`; nil after the last.
    ///
    /// Commit it in one transaction with the response, so that a restarted process continues there.
    ///
    /// - Throws: `malformedResponse` when Apple says there is more, but not where; payments would be lost.
    func next(after response: Response) throws(AppStoreServerError) -> Self?
}

extension PagedServerRequest {
    func page(
        _ token: String?,
        hasMore: Bool,
        _ place: WritableKeyPath<Self, String?>
    ) throws(AppStoreServerError) -> Self? {
        guard hasMore else { return nil }
        guard let token, !token.isEmpty, token != self[keyPath: place] else {
            throw .malformedResponse("there is another page, but not said where")
        }
        var next = self
        next[keyPath: place] = token
        return next
    }
}
