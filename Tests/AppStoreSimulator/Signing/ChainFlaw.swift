/// One deliberate fault in a chain that is otherwise of Apple's shape, for tests of whoever verifies it.
package enum ChainFlaw: String, CaseIterable, Sendable {
    /// The leaf lacks 1.2.840.113635.100.6.11.1.
    case unmarkedLeaf
    /// The intermediate lacks 1.2.840.113635.100.6.2.1.
    case unmarkedIntermediate
    /// The leaf was valid only in 2021.
    case expiredLeaf
    /// The intermediate was valid only in 2021.
    case expiredIntermediate
    /// The leaf certificate holds a P-384 key.
    case leafOnP384
    /// The intermediate is no certificate authority.
    case intermediateWithoutAuthority
    /// The intermediate's key usage leaves out the signing of certificates.
    case intermediateWithoutCertificateSigning
    /// The root allows no intermediate below it.
    case rootWithoutIntermediates
    /// The leaf was signed by a key that is not the intermediate's.
    case forgedLeaf
    /// The intermediate was signed by a key that is not the root's.
    case forgedIntermediate
    /// The leaf names an issuer that is not the intermediate.
    case foreignIssuer
    /// The leaf has a critical extension that nobody knows.
    case unknownCriticalExtension
    /// The intermediate carries name constraints.
    case nameConstraints
    /// The leaf's key usage leaves out the signing of data.
    case leafWithoutDigitalSignature
}
