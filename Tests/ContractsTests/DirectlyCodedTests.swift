import Contracts
import Foundation
import Testing

/// The direct way against the general one, which it must equal in every byte and every value.
@Suite struct `Direct coding` {
    /// Escapes are not of the direct form.
    private static func withoutEscapes(_ text: Data) -> Data {
        Data(String(decoding: text, as: UTF8.self).replacing("\\\"", with: "'").utf8)
    }

    @Test(arguments: GoldenFile.all)
    func `A message of a purchase is read directly, all of it, and no other`(file: GoldenFile) throws {
        let text = Self.withoutEscapes(try file.contents())
        let read = try file.directRead(text)
        #expect(read == (GoldenFile.direct.contains(file.name) ? text : nil))
    }

    @Test(arguments: GoldenFile.all)
    func `A message of a purchase is written directly, with the bytes of its golden file`(
        file: GoldenFile
    ) throws {
        let text = try file.contents()
        let written = try file.directWrite(text)
        #expect(written == (GoldenFile.direct.contains(file.name) ? text : nil))
    }

    @Test func `No member of a message of a purchase is in none of the golden files`() throws {
        var members = Members()
        for file in GoldenFile.all where GoldenFile.direct.contains(file.name) {
            members.note(try file.value(file.contents()))
        }
        #expect(members.all.count > 100)
        #expect(members.all.subtracting(members.set).sorted() == [])
    }

    @Test(arguments: GoldenFile.all.filter { GoldenFile.direct.contains($0.name) })
    func `What is read directly from a text changed at random is what Foundation reads`(
        file: GoldenFile
    ) throws {
        var random = Chance(state: 1)
        let text = Self.withoutEscapes(try file.contents())
        var accepted = 0
        for _ in 0..<600 {
            let changed = Self.changed(text, by: &random)
            guard let direct = try file.directRead(changed) else { continue }
            accepted += 1
            let general = Result { try file.roundTrip(changed) }
            #expect(try general.get() == direct, "\(String(decoding: changed, as: UTF8.self))")
        }
        #expect(accepted > 20)
    }

    @Test(arguments: GoldenFile.all.filter { GoldenFile.direct.contains($0.name) })
    func `Random values are written directly with the bytes of the general way`(file: GoldenFile) throws {
        var random = Chance(state: 2)
        let message = try JSONDecoder().decode(JSONValue.self, from: file.contents())
        var written = 0
        for _ in 0..<150 {
            let text = try JSONEncoder().encode(Self.changed(message, by: &random))
            guard let direct = Self.attempt({ try file.directWrite(text) }) else { continue }
            written += 1
            #expect(try direct == file.generalWrite(text))
        }
        #expect(written > 5)
    }

    @Test(arguments: [
        #""a""#, "1", "-1", "0", "true", "false", "null", "[]", "{}", "0.5", "-0.5", "-1.25",
        "[[[[[[[1]]]]]]]",
        #"{"é":"币"}"#, "999999999999999999", #"[1,"2",null,{"k":[]}]"#,
    ])
    func `The form that is written directly is read directly`(text: String) throws {
        let value = text.direct
        #expect(value != nil)
        #expect(try value == JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
        #expect(value.flatMap(EventEncoder().direct) == Array(text.utf8))
    }

    @Test(arguments: [
        "", " 1", "1 ", "-", "-0", "01", "1.0", "1.", ".5", "-.5", "1e2", "+1", "1000000000000000000", "tru",
        "nul",
        "[", "[1", "[1,", "[1,]", "[,1]", "[1 ]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#,
        #""a"#,
        #""\n""#, #"{"a":1,"a":1}"#, "[[[[[[[[[1]]]]]]]]]", "\"\u{1}\"", "1 2", "0.1234567890123456", "-0.0",
        #"{"é":1,"é":2}"#, "0x1", "00.5",
    ])
    func `Every other form is left to the general way`(text: String) {
        #expect(text.direct == nil)
    }

    @Test func `A text that is no UTF-8 is left to the general way`() {
        let text: [UInt8] = [0x22, 0xC3, 0x22]
        #expect(text.withUnsafeBufferPointer { EventDecoder.direct(JSONValue.self, from: $0) } == nil)
    }

    @Test func `A number that JSON does not have is left to the general way, with its words`() {
        let value = JSONValue.array([.number(.infinity)])
        #expect(EventEncoder().direct(value) == nil)
        #expect(throws: EncodingError.self) { try EventEncoder().encode(value) }
    }

    @Test func `Texts longer than any event are written whole`() throws {
        let value = JSONValue.array(Array(repeating: .string(String(repeating: "x\n", count: 999)), count: 9))
        #expect(try EventEncoder().direct(value) == EventEncoder().general(value))
    }

    // MARK: Chance

    private static func attempt<Value>(_ body: () throws -> Value?) -> Value? {
        do { return try body() } catch { return nil }
    }

    private static let pieces = [
        "", "a", "0", "9", "-", ".5", "e1", "null", "true", "\"", "\\", "\\n", "{", "}", "[", "]", ",", ":",
        " ", "\n",
        "é", "\u{0}", "\u{7F}", "1000000000000000000", "\"x\":1,", ",\"x\":1",
    ]

    /// A few bytes are replaced, or a part is cut out or doubled.
    private static func changed(_ text: Data, by random: inout Chance) -> Data {
        var bytes = Array(text)
        for _ in 0...Int.random(in: 0...1, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...1, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                // From one comma to another: mostly a member.
                let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
                guard let first = commas.dropLast().randomElement(using: &random),
                    let next = commas.first(where: { $0 > first })
                else { continue }
                let member = bytes[first..<next]
                if Bool.random(using: &random) {
                    bytes.insert(contentsOf: member, at: next)
                } else {
                    bytes.removeSubrange(first..<next)
                }
            case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 2...4:
                bytes[place] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
            default:
                let piece = pieces.randomElement(using: &random) ?? ""
                bytes.replaceSubrange(place..<end, with: piece.utf8)
            }
        }
        return Data(bytes)
    }

    private static let texts = ["", "a", "\"", "\\", "\n", "\r", "\t", "\u{1}", "\u{1F}", "é", "币", "😀", "/"]

    /// Some of the values inside are others of their kind.
    private static func changed(_ value: JSONValue, by random: inout Chance) -> JSONValue {
        switch value {
        case .object(let members):
            return .object(
                members.keys.sorted().reduce(into: [:]) {
                    $0[$1] = members[$1].map { changed($0, by: &random) }
                }
            )
        case .array(let elements): return .array(elements.map { changed($0, by: &random) })
        case .integer:
            return .integer(
                Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
            )
        case .number: return .number(Double.random(in: -1e6...1e6, using: &random))
        case .bool: return .bool(Bool.random(using: &random))
        case .string(let text):
            guard Int.random(in: 0..<12, using: &random) == 0 else { return .string(text) }
            return .string(text + (texts.randomElement(using: &random) ?? ""))
        case .null: return .null
        }
    }
}

/// The members of all structures inside values, and those that have a value in any of them.
private struct Members {
    private(set) var all: Set<String> = []
    private(set) var set: Set<String> = []

    mutating func note(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        for child in mirror.children {
            if mirror.displayStyle == .struct, let label = child.label {
                let name = "\(mirror.subjectType).\(label)"
                all.insert(name)
                let isNone =
                    Mirror(reflecting: child.value).displayStyle == .optional
                    && Mirror(reflecting: child.value).children.isEmpty
                if !isNone { set.insert(name) }
            }
            note(child.value)
        }
    }
}

/// The same numbers in every run (SplitMix64).
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}

extension String {
    fileprivate var direct: JSONValue? {
        Array(utf8).withUnsafeBufferPointer { EventDecoder.direct(JSONValue.self, from: $0) }
    }
}
