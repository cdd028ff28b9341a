/// A word of a request that is one of a few; any other is refused with a list of them.
protocol KnownName: RawRepresentable<String>, CaseIterable, Decodable {}

extension KnownName {
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let name = Self(rawValue: text) else {
            let member = decoder.codingPath.map(\.stringValue).joined(separator: ".")
            throw Problem("\(member) \"\(text.prefix(64))\" is not known; it is one of \(Self.list)")
        }
        self = name
    }
}
