import FoundationEssentials

/// The places of all values in a JSON text, for error messages.
///
/// `JSONDecoder` alone decides what is valid; this is used after it refused a text, or when a value is wrong.
package struct JSONText {
    /// Line and column, counted from 1, columns in characters.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package let line: Int
        package let column: Int

        package var description: String { "line \(line), column \(column)" }
    }

    /// One step on the path to a value.
    package enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    /// Where a text stops being valid JSON, and why.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let place: Place
        package let problem: String

        package var description: String { "\(place): \(problem)" }
    }

    private let bytes: [UInt8]
    private let offsets: [[Step]: Int]

    /// Reads a text.
    ///
    /// - Throws: `Fault` where the JSON becomes invalid.
    package init(_ bytes: some Sequence<UInt8>) throws(Fault) {
        self.bytes = Array(bytes)
        var scan = JSONScan(self.bytes)
        do throws(JSONScan.Stop) {
            try scan.text()
        } catch {
            throw Fault(place: Self.place(of: error.offset, in: self.bytes), problem: error.problem)
        }
        offsets = scan.offsets
    }

    /// The place of the value at a path; if missing, of its innermost existing parent.
    package func place(of way: [Step]) -> Place {
        var way = way[...]
        while !way.isEmpty {
            if let offset = offsets[Array(way)] { return Self.place(of: offset, in: bytes) }
            way = way.dropLast()
        }
        return Self.place(of: offsets[[]] ?? 0, in: bytes)
    }

    private static func place(of offset: Int, in bytes: [UInt8]) -> Place {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Place(line: line, column: String(decoding: before[start...], as: UTF8.self).count + 1)
    }
}

extension [any CodingKey] {
    /// The path as steps.
    package var steps: [JSONText.Step] {
        map { key in key.intValue.map { .element($0) } ?? .member(key.stringValue) }
    }
}

extension [JSONText.Step] {
    /// The path as text, such as `apps[0].keys`.
    package var text: String {
        reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

/// One pass over a text by the grammar of RFC 8259.
private struct JSONScan {
    /// Ends the pass early.
    struct Stop: Error {
        let offset: Int
        let problem: String
    }

    /// Deepest nesting of containers.
    static let maximumDepth = 128
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    let bytes: [UInt8]
    private(set) var offsets: [[JSONText.Step]: Int] = [:]
    private var way: [JSONText.Step] = []
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func text() throws(Stop) {
        try value()
        if next != nil { throw stop("there is more after the end of the value") }
    }

    private func stop(_ problem: String) -> Stop { Stop(offset: offset, problem: problem) }

    private func unexpected(_ wanted: String) -> Stop {
        guard let next else { return stop("the text ends where \(wanted) should be") }
        let isVisible = (0x21...0x7E).contains(next)
        let found = isVisible ? "'\(Character(UnicodeScalar(next)))'" : "a character that cannot stand here"
        return stop("\(found) is where \(wanted) should be")
    }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { offset += 1 }
    }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value() throws(Stop) {
        skipSpace()
        guard way.count <= Self.maximumDepth else { throw stop("nested too deeply") }
        offsets[way] = offset
        switch next {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"): try number()
        case let digit? where Self.digits.contains(digit): try number()
        default: throw unexpected("a value")
        }
        skipSpace()
    }

    private mutating func object() throws(Stop) {
        offset += 1
        skipSpace()
        if take("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
            way.append(.member(try string()))
            skipSpace()
            guard take(":") else { throw unexpected("a colon") }
            try value()
            way.removeLast()
            if take("}") { return }
            guard take(",") else { throw unexpected("a comma or }") }
        }
    }

    private mutating func array() throws(Stop) {
        offset += 1
        skipSpace()
        if take("]") { return }
        var index = 0
        while true {
            way.append(.element(index))
            try value()
            way.removeLast()
            index += 1
            if take("]") { return }
            guard take(",") else { throw unexpected("a comma or ]") }
        }
    }

    private mutating func string() throws(Stop) -> String {
        let start = offset
        offset += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw stop("a string is not closed on its line") }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next != nil else {
            offset = start
            throw stop("a string is not closed")
        }
        offset += 1
        let quoted = Data(bytes[start..<offset])
        do {
            return try JSONDecoder().decode(String.self, from: quoted)
        } catch {
            offset = start
            throw stop("a string has an escape or a byte that no string may have")
        }
    }

    private mutating func word(_ word: String) throws(Stop) {
        guard bytes[offset...].starts(with: word.utf8) else { throw unexpected("true, false or null") }
        offset += word.utf8.count
    }

    private mutating func number() throws(Stop) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
    }

    private mutating func digits() throws(Stop) {
        let start = offset
        while let next, Self.digits.contains(next) { offset += 1 }
        if offset == start { throw unexpected("a digit") }
    }
}
