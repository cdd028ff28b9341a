/// StoreKit's error, as the phone names it.
package struct ReportedError: Codable, Hashable, Sendable, DirectlyCoded {
    /// Such as `SKErrorDomain`.
    package var domain: String?
    /// A number or the name of a case.
    package var code: String?
}
