/// The identifier octet of a BER value (X.690 §8.1.2) with a tag of at most 30.
struct BERTag: Hashable, RawRepresentable {
    let rawValue: UInt8

    static let endOfContents = BERTag(rawValue: 0x00)
    static let integer = BERTag(rawValue: 0x02)
    static let octetString = BERTag(rawValue: 0x04)
    static let octetStringInParts = BERTag(rawValue: 0x24)
    static let objectIdentifier = BERTag(rawValue: 0x06)
    static let utf8String = BERTag(rawValue: 0x0C)
    static let printableString = BERTag(rawValue: 0x13)
    static let ia5String = BERTag(rawValue: 0x16)
    static let sequence = BERTag(rawValue: 0x30)
    static let set = BERTag(rawValue: 0x31)

    static func context(_ number: UInt8) -> BERTag { BERTag(rawValue: 0xA0 | number) }

    var isConstructed: Bool { rawValue & 0x20 != 0 }
    var isLong: Bool { rawValue & 0x1F == 0x1F }
}
