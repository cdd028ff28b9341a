@testable import Contracts
import Foundation
import Testing

@Suite struct `the decoder of events` {
    /// A value with every kind of member that contracts have.
    struct Sample: Codable, Equatable {
        enum Kind: String, Codable { case coin, pass }

        var name: String
        var count: Int?
        var at: Timestamp?
        var buyer: BuyerID?
        var kind: Kind?
        var price: Double?
        var bytes: Data?
        var small: Int8?
        var flags: [Bool]?
        var parts: [String: [Int]]?
        var inner: [Sample]?
        var any: JSONValue?
    }

    private static let plain = [
        #"{"name":"a"}"#, #"{"name":"","count":null}"#, #"{"count":-12,"name":"币 é"}"#,
        #" { "name" : "a" , "unknown" : { "x" : [ 1 , [ ] , { } ] } , "count" : 0 } "#,
        #"{"at":1767225600000,"buyer":"b-1","kind":"pass","name":"x","small":-128,"flags":[true,false]}"#,
        #"{"name":"a","parts":{"p":[1,2],"q":[]},"inner":[{"name":"b"},{"name":"c","inner":[]}]}"#,
        #"{"name":"a","any":{"list":[1,"2",null,true,{"k":[]}],"big":999999999999999999}}"#,
        #"{"name":"a","price":12}"#, #"{"name":"a","price":-0.1}"#,
        #"{"name":"a","any":[2.5,123456789.123456]}"#,
    ]

    /// What the plain decoder leaves to Foundation's, which takes some of it.
    private static let other = [
        "", " ", "{", "}", "[]", "1", #""name""#, "null", "nul", "{}", #"{"name"}"#, #"{"name":}"#,
        #"{"name":"a",}"#, #"{,"name":"a"}"#, #"{"name":"a"}}"#, #"{"name":"a"} x"#, #"{"name":"a""#,
        #"{"name":"a","name":"b"}"#, #"{"count":1,"name":"a","count":2}"#,
        #"{"name":"a\n"}"#, #"{"n\u0061me":"a"}"#, #"{"name":"\ud800"}"#, "{\"name\":\"\n\"}",
        #"{"name":"a","count":1.0}"#, #"{"name":"a","count":1e2}"#, #"{"name":"a","count":1.5}"#,
        #"{"name":"a","count":01}"#, #"{"name":"a","count":-0}"#, #"{"name":"a","count":+1}"#,
        #"{"name":"a","count":9223372036854775807}"#, #"{"name":"a","count":9223372036854775808}"#,
        #"{"name":"a","price":0.1234567890123456}"#, #"{"name":"a","price":1.}"#, #"{"name":"a","price":.1}"#,
        #"{"name":"a","any":2.0}"#, #"{"name":"a","bytes":"AAEC"}"#, #"{"name":"a","bytes":"?"}"#,
        #"{"name":1}"#, #"{"name":null}"#, #"{"name":"a","small":128}"#, #"{"name":"a","kind":"none"}"#,
        #"{"name":"a","buyer":""}"#, #"{"name":"a","flags":[1]}"#, #"{"name":"a","flags":[true,]}"#,
        #"{"name":"a","é":1}"#, #"{"name":"a","inner":{}}"#,
        #"{"name":"a","any":"# + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}",
        #"{"name":"a","any":"# + String(repeating: "[", count: 30) + String(repeating: "]", count: 30) + "}",
    ]

    /// An object with a name of the sample's and so many others.
    private static func object(names: Int) -> String {
        #"{"name":"a""# + (1..<names).map { #","n\#($0)":0"# }.joined() + "}"
    }

    @Test
    func `leaves an object with more names than any contract has to Foundation, which compares no names`()
        throws
    {
        let most = PlainScan.maximumNames
        #expect(EventDecoder().plain(Sample.self, from: Array(Self.object(names: most).utf8))?.name == "a")
        #expect(EventDecoder().plain(Sample.self, from: Array(Self.object(names: most + 1).utf8)) == nil)
        let large = Array(Self.object(names: 20_000).utf8)
        #expect(try EventDecoder().decode(Sample.self, from: large).name == "a")
    }

    @Test func `leaves a text with more values than any message has to Foundation, which keeps less of each`()
        throws
    {
        let zeros = Array(repeating: "0", count: PlainScan.maximumValues).joined(separator: ",")
        let text = Array(#"{"name":"a","any":[\#(zeros)]}"#.utf8)
        #expect(EventDecoder().plain(Sample.self, from: text) == nil)
        #expect(try EventDecoder().decode(Sample.self, from: text).name == "a")
    }

    /// The value or the words of the refusal.
    private static func outcome(_ decode: () throws -> Sample) -> String {
        do { return try String(describing: decode()) } catch { return String(describing: error) }
    }

    @Test(arguments: plain)
    func `reads the plain form without Foundation, and as Foundation`(text: String) throws {
        let value = try JSONDecoder().decode(Sample.self, from: Data(text.utf8))
        #expect(EventDecoder().plain(Sample.self, from: Array(text.utf8)) == value)
    }

    @Test(arguments: other)
    func `leaves every other form to Foundation, with its words`(text: String) {
        #expect(EventDecoder().plain(Sample.self, from: Array(text.utf8)) == nil)
        let own = Self.outcome { try EventDecoder().decode(Sample.self, from: text) }
        #expect(own == Self.outcome { try JSONDecoder().decode(Sample.self, from: Data(text.utf8)) })
    }

    @Test func `leaves bytes that are no UTF-8 to Foundation, wherever they are`() {
        let inText = Array(#"{"name":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        for bytes in [inText, [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]] {
            #expect(EventDecoder().plain(Sample.self, from: bytes) == nil)
        }
    }

    /// Decodes a date if it can, and nothing else if it cannot.
    private struct Lenient: Decodable {
        var date: Date?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { date = try container.decode(Date.self) } catch { date = nil }
        }
    }

    @Test func `leaves a type of Foundation's own to it, also when the asking type goes on without`() throws {
        #expect(EventDecoder().plain(Lenient.self, from: Array("5".utf8)) == nil)
        #expect(try EventDecoder().decode(Lenient.self, from: "5").date != nil)
    }

    @Test func `reads members in any order, and the same member as often as it is asked for`() throws {
        struct Twice: Decodable {
            let sum: Int
            private enum Keys: String, CodingKey { case a, b, c }

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Keys.self)
                sum = try [Keys.c, .a, .b, .c].reduce(0) { sum, key in
                    sum * 10 + (try members.decode(Int.self, forKey: key))
                }
            }
        }
        #expect(EventDecoder().plain(Twice.self, from: Array(#"{"a":1,"b":2,"c":3}"#.utf8))?.sum == 3_123)
    }

    @Test func `hands on what its user gave it`() throws {
        struct Given: Decodable {
            let word: String?

            init(from decoder: any Decoder) throws { word = decoder.userInfo[.word] as? String }
        }
        let decoder = EventDecoder(userInfo: [.word: "given"])
        #expect(decoder.plain(Given.self, from: Array("{}".utf8))?.word == "given")
        #expect(try decoder.decode(Given.self, from: #"{"a":1.5}"#).word == "given")
    }
}

extension CodingUserInfoKey {
    fileprivate static let word =
        CodingUserInfoKey(rawValue: "word") ?? { preconditionFailure("a valid key") }()
}
