import SwiftASN1

/// Apple's two marks, by which a certificate chain is known to sign StoreKit's data.
enum AppStoreMarks {
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// The mark's value is NULL, as in Apple's certificates.
    static let value: ArraySlice<UInt8> = [0x05, 0x00]
}
