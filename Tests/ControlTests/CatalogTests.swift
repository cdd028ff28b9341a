import Contracts
import Domain
import Testing

@testable import Program

@Suite struct `what catalog.json says` {
    private static let game = BundleID(unchecked: "com.example.game")
    private static let other = BundleID(unchecked: "com.example.other")

    private static func lookup(
        _ json: String,
        _ product: String,
        of bundle: BundleID = game
    ) throws -> Catalog.Lookup {
        try Catalog(json: json).lookup(bundleID: bundle, productID: ProductID(unchecked: product))
    }

    private static let coins =
        #"{"productId":"coins","type":"consumable","grants":[{"entitlement":"c","amount":5}]"#

    @Test func `an active product grants what its entry says`() throws {
        let found = try Self.lookup(#"{"products":[\#(Self.coins)}]}"#, "coins")
        #expect(found == .active(type: .consumable, grants: [.init(entitlement: "c", amount: 5)]))
    }

    @Test func `a product that is not there is unknown`() throws {
        #expect(try Self.lookup(#"{"products":[]}"#, "coins") == .unknown)
    }

    @Test func `an app's own entry goes before one for every app, and is no other app's`() throws {
        let own =
            #"{"productId":"coins","type":"nonConsumable","grants":[{"entitlement":"p"}],"#
            + #""bundleId":"\#(Self.game)"}"#
        let both = #"{"products":[\#(Self.coins)},\#(own)]}"#
        #expect(
            try Self.lookup(both, "coins") == .active(type: .nonConsumable, grants: [.init(entitlement: "p")])
        )
        let general = Catalog.Lookup.active(type: .consumable, grants: [.init(entitlement: "c", amount: 5)])
        #expect(try Self.lookup(both, "coins", of: Self.other) == general)
        #expect(try Self.lookup(#"{"products":[\#(own)]}"#, "coins", of: Self.other) == .unknown)
    }

    @Test
    func `a retired product yields its replacement's grants, its compensation, or waits for the operator`()
        throws
    {
        func retired(_ how: String) throws -> Catalog.Lookup {
            let old =
                #"{"productId":"old","type":"consumable","grants":[{"entitlement":"o","amount":1}],"#
                + #""retired":\#(how)}"#
            return try Self.lookup(#"{"products":[\#(Self.coins)},\#(old)]}"#, "old")
        }
        let coins = [Catalog.Grant(entitlement: "c", amount: 5)]
        #expect(try retired(#"{"replacement":"coins"}"#) == .retired(type: .consumable, grants: coins))
        let compensation = #"{"compensation":[{"entitlement":"gems","amount":2}]}"#
        let gems = [Catalog.Grant(entitlement: "gems", amount: 2)]
        #expect(try retired(compensation) == .retired(type: .consumable, grants: gems))
        #expect(try retired("{}") == .retired(type: .consumable, grants: nil))
    }

    static let faults: [(String, String, String)] = [
        (#"{}"#, "products", "is missing"),
        (#"{"products":{}}"#, "products", "must be an array"),
        (#"{"products":[{}]}"#, "products[0].productId", "is missing"),
        (#"{"products":[\#(coins)},\#(coins)}]}"#, "products[1].productId", "a second time"),
    ]

    /// A product without its last brace, the member that is named, and what is reported of it.
    static let productFaults: [(String, String, String)] = [
        (#"\#(coins),"price":1"#, "price", "is not a known member"),
        (#"\#(coins),"retired":{"replacement":"x"}"#, "retired.replacement", "no product"),
        (#"\#(coins),"retired":{"replacement":"coins"}"#, "retired.replacement", "retired itself"),
        (#"{"productId":"p","type":"gift","grants":[]"#, "type", "\"consumable\""),
        (#"\#(consumable)"grants":[]"#, "grants", "nothing"),
        (#"\#(consumable)"grants":[{"entitlement":"c"}]"#, "grants[0].amount", "is missing"),
        (#"\#(consumable)"grants":[{"entitlement":"c","amount":0}]"#, "grants[0].amount", "must be from 1"),
    ]
    .map { (#"{"products":[\#($0)}]}"#, "products[0].\($1)", $2) }

    private static let consumable = #"{"productId":"p","type":"consumable","#

    @Test(arguments: faults + productFaults)
    func `what is wrong is named`(text: String, member: String, says: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Catalog(json: text) }
        #expect(error.member == member)
        #expect(error.description.contains(says))
    }
}
