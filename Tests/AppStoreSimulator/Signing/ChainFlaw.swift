/// One deliberate fault in a chain that is otherwise of Apple's shape, for tests of whoever verifies it.
package enum ChainFlaw: String, CaseIterable, Sendable {
    /// Without Apple's marks (1.2.840.113635.100.6.11.1 and .2.1).
    case unmarkedLeaf, unmarkedIntermediate
    /// Valid only in 2021.
    case expiredLeaf, expiredIntermediate
    case leafOnP384
    case intermediateWithoutAuthority, intermediateWithoutCertificateSigning
    case rootWithoutIntermediates
    /// Signed by a key that is not the issuer's.
    case forgedLeaf, forgedIntermediate
    /// The leaf names an issuer that is not the intermediate.
    case foreignIssuer
    case unknownCriticalExtension
    /// In the intermediate.
    case nameConstraints
    case leafWithoutDigitalSignature
}
