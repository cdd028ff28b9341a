import Contracts
import Foundation
import Testing

@Suite struct Identifiers {
    @Test(arguments: [
        ("a.B_c-9", true), (String(repeating: "a", count: 155), true),
        (String(repeating: "a", count: 156), false),
        ("", false), ("com example", false), ("com/example", false), ("ü", false),
    ])
    func `A bundle id is a token of at most 155 bytes`(text: String, isValid: Bool) {
        #expect((BundleID(rawValue: text) != nil) == isValid)
    }

    @Test(arguments: [
        ("Zoë Ω", true), (String(repeating: "ä", count: 64), true),
        (String(repeating: "ä", count: 65), false),
        ("", false), ("a\nb", false), ("a\u{7F}", false), ("a\u{0}", false),
    ])
    func `A buyer is printable text of at most 128 bytes`(text: String, isValid: Bool) {
        #expect((BuyerID(rawValue: text) != nil) == isValid)
    }

    @Test(arguments: [
        (64, true, true), (65, false, true), (128, false, true), (129, false, false), (0, false, false),
    ])
    func `Transaction ids end at 64 bytes and event ids at 128`(bytes: Int, transaction: Bool, event: Bool) {
        let text = String(repeating: "7", count: bytes)
        #expect((TransactionID(rawValue: text) != nil) == transaction)
        #expect((EventID(rawValue: text) != nil) == event)
    }

    @Test(arguments: [(255, true), (256, false)])
    func `A product id ends at 255 bytes`(bytes: Int, isValid: Bool) {
        #expect((ProductID(rawValue: String(repeating: "p", count: bytes)) != nil) == isValid)
    }

    @Test func `Identifiers are equal, hashed and sorted by their bytes, as a store does`() {
        let composed = BuyerID(unchecked: "Ren\u{E9}")
        let decomposed = BuyerID(unchecked: "Rene\u{301}")
        #expect(composed.rawValue == decomposed.rawValue, "Unicode holds them equivalent")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect(decomposed < composed, "0x65 stands before 0xC3")
        #expect([composed: 1, decomposed: 2][decomposed] == 2)
        #expect(BuyerID(unchecked: "a") < BuyerID(unchecked: "b"))
        #expect(BuyerID(unchecked: "a") == BuyerID(unchecked: "a"))
    }

    @Test func `An identifier that is not valid is refused in JSON, alone and in a message`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(BundleID.self, from: Data(#""com example""#.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                EntitlementsGetV1.self,
                from: Data(#"{"bundleId":"com example","buyerId":"a","environment":"Production"}"#.utf8)
            )
        }
    }

    @Test(arguments: [
        "orders/3", "/orders", "/orders/", "/orders/-1", "/orders/3/", "/shop/3", "/orders/x", "",
    ])
    func `Text that is no partition's address is refused`(text: String) {
        #expect(PartitionAddress(text) == nil)
    }

    @Test(arguments: ServiceName.allCases)
    func `A partition's address comes back from its text`(service: ServiceName) {
        let address = PartitionAddress(service, 12)
        #expect(PartitionAddress(address.description) == address)
        #expect(address.description == "/\(service.rawValue)/12")
    }
}
