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
        (#"{"products":[\#(coins),"price":1}]}"#, "products[0].price", "is not a known member"),
        (#"{"products":[\#(coins)},\#(coins)}]}"#, "products[1].productId", "a second time"),
        (
            #"{"products":[\#(coins),"retired":{"replacement":"x"}}]}"#, "products[0].retired.replacement",
            "no product"
        ),
        (
            #"{"products":[\#(coins),"retired":{"replacement":"coins"}}]}"#,
            "products[0].retired.replacement",
            "retired itself"
        ),
        (
            #"{"products":[{"productId":"p","type":"gift","grants":[]}]}"#, "products[0].type",
            "\"consumable\""
        ),
        (
            #"{"products":[{"productId":"p","type":"consumable","grants":[]}]}"#, "products[0].grants",
            "nothing"
        ),
        (
            #"{"products":[{"productId":"p","type":"consumable","grants":[{"entitlement":"c"}]}]}"#,
            "products[0].grants[0].amount", "is missing"
        ),
        (
            #"{"products":[{"productId":"p","type":"consumable","grants":[{"entitlement":"c","amount":0}]}]}"#,
            "products[0].grants[0].amount", "must be from 1"
        ),
    ]

    @Test(arguments: faults) func `what is wrong is named`(text: String, member: String, says: String) throws
    {
        let error = try #require(throws: ConfigurationError.self) { try Catalog(json: text) }
        #expect(error.member == member)
        #expect(error.description.contains(says))
    }
}
