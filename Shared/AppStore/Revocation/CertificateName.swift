/// A certificate as its issuer knows it.
package struct CertificateName: Hashable, Sendable {
    /// As swift-certificates writes it, such as `C=US,O=Apple Inc.,CN=…`.
    package let subject: String
    /// In lower-case hexadecimal, two digits a byte.
    package let serialNumber: String
}
