import Contracts
import Foundation
import Testing

/// The texts that the description allows are those that the routes take.
@Suite struct `The patterns of the interface` {
    enum Place: String, CaseIterable {
        case buyerId, reference, after, idempotencyKey

        /// Where the text's schema stands in the document.
        var schema: [String] {
            let ledger = ["paths", "/v1/buyers/{buyerId}/ledger", "get", "parameters"]
            return switch self {
            case .buyerId: ["components", "schemas", "BuyerID"]
            case .reference: ["components", "schemas", "Reference"]
            case .after: ledger + ["1", "schema"]
            case .idempotencyKey: ["paths", "/v1/orders", "post", "parameters", "0", "schema"]
            }
        }

        /// Sends a text where it stands in a request.
        func ask(_ text: String, _ gateway: TestGateway) async throws -> TestGateway.Response {
            let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let order = #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100"}"#
            switch self {
            case .buyerId: return try await gateway.get("/v1/buyers/\(encoded)/entitlements")
            case .reference: return try await gateway.get("/v1/orders?reference=\(encoded)")
            case .after: return try await gateway.get("/v1/buyers/b1/ledger?after=\(encoded)")
            case .idempotencyKey: return try await gateway.issue(order, idempotencyKey: text)
            }
        }

        /// Texts around every bound; a header carries printable ones only.
        func samples(upTo maximum: Int) -> [String] {
            let bytes: ClosedRange<UInt8> = self == .idempotencyKey ? 0x20...0x7E : 0x00...0x7F
            let inside = bytes.map { "a\(Character(UnicodeScalar($0)))b" }
            let lengths = [1, maximum, maximum + 1].map { String(repeating: "x", count: $0) }
            return inside + lengths + (self == .buyerId || self == .idempotencyKey ? [] : [""])
        }
    }

    /// What a schema says of a text, in ASCII: there a character is a byte.
    struct Rule {
        let pattern: Regex<AnyRegexOutput>
        let lengths: ClosedRange<Int>

        init(_ schema: JSONValue?) throws {
            guard case .object(let members) = schema, case .string(let pattern) = members["pattern"],
                case .integer(let least) = members["minLength"],
                case .integer(let most) = members["maxLength"]
            else { throw NoRule() }
            self.pattern = try Regex(pattern).matchingSemantics(.unicodeScalar)
            lengths = Int(least)...Int(most)
        }

        func allows(_ text: String) -> Bool {
            lengths.contains(text.unicodeScalars.count) && text.wholeMatch(of: pattern) != nil
        }
    }

    struct NoRule: Error {}

    @Test(arguments: Place.allCases)
    func `allow what the routes take and nothing else`(place: Place) async throws {
        let gateway = TestGateway()
        let rule = try Rule(try await OpenAPIDocument().json[place.schema])
        for text in place.samples(upTo: rule.lengths.upperBound) {
            let response = try await place.ask(text, gateway)
            let isTaken = (200...299).contains(response.status)
            #expect(isTaken == rule.allows(text), "\(place) \(text.debugDescription): \(response.status)")
            if !isTaken { #expect([400, 422].contains(response.status)) }
        }
    }

    @Test func `are strict about which member of a body may be missing`() async throws {
        let members = #""bundleId":"com.example.game","buyerId":"b1""#
        let empty = [#""orderId":null"#, #""deviceId":null"#, #""appReceipt":null"#]
        let gateway = TestGateway()
        for member in empty {
            let body = #"{\#(members),"signedTransaction":"x",\#(member)}"#
            let response = try await gateway.post("/v1/receipts", body)
            #expect(response.status == 200, "\(member)")
        }
        let none = #"{\#(members),"signedTransaction":null}"#
        let response = try await gateway.post("/v1/receipts", none)
        #expect(response.field == "signedTransaction")
    }
}
