import Foundation

/// A body whose members are all known, so that another one is a slip of the caller's.
protocol ExactBody: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// Where the names of a body's own members stand in its text, not those of values inside it.
struct MemberNames {
    /// More than any body has.
    static let maximum = 64
    /// How much of a name an answer repeats.
    private static let shownBytes = 128

    /// Without their quotes; one more than `maximum` at most.
    private(set) var ranges: [Range<Int>] = []
    private var isObject = false
    private var isNameNext = false
    private var start: Int?

    mutating func begin(isObject: Bool) {
        self.isObject = isObject
        isNameNext = isObject
    }

    mutating func comma() { isNameNext = isObject }

    /// A string begins or ends.
    mutating func quote(at offset: Int) {
        if let begin = start {
            if ranges.count <= Self.maximum { ranges.append(begin..<offset) }
            start = nil
        } else if isNameNext {
            start = offset + 1
            isNameNext = false
        }
    }

    func texts(in bytes: [UInt8]) -> [String] {
        ranges.map { range in
            let text = String(decoding: bytes[range], as: UTF8.self)
            guard text.contains("\\") else { return text }
            do {
                return try JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))
            } catch {
                return text
            }
        }
    }

    /// A name as an answer repeats it.
    static func shown(_ name: String) -> String {
        String(decoding: name.utf8.prefix(shownBytes), as: UTF8.self)
    }
}
