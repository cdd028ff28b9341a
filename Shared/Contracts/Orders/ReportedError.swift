/// StoreKit's error, as the phone names it.
package struct ReportedError: Codable, Hashable, Sendable {
    /// Such as `SKErrorDomain`.
    package var domain: String?
    /// A number or the name of a case.
    package var code: String?

    package init(domain: String?, code: String?) {
        self.domain = domain
        self.code = code
    }
}

extension ReportedError: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        domain = try json.optional("domain", value?.domain)
        code = try json.optional("code", value?.code)
        try json.close()
    }
}
