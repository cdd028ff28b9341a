/// One field of a receipt by Apple's number for it: `SEQUENCE { type, version, value OCTET STRING }`.
package struct ReceiptAttribute: Hashable, Sendable {
    package let type: Int
    /// What the octet string holds, mostly DER.
    package let value: [UInt8]
}
