import Contracts
import Domain
import HTTPTypes
import Testing

@Suite struct `Products over HTTP` {
    private static let path = "/v1/products"

    private static func product(_ id: String, of bundle: String? = nil) -> Catalog.Product {
        Catalog.Product(
            productId: ProductID(unchecked: id),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 1)],
            bundleId: bundle.map(BundleID.init(unchecked:))
        )
    }

    private static func ids(_ response: TestGateway.Response) -> [JSONValue?] {
        guard case .array(let products)? = response["products"] else { return [] }
        return products.map { $0[["productId"]] }
    }

    private static func get(
        _ gateway: TestGateway,
        ifNoneMatch tag: String
    ) async throws -> TestGateway.Response {
        try await gateway.send(.get, path, headers: [.ifNoneMatch: tag])
    }

    @Test func `are the catalog's, with its version, and the retired ones are marked`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get(Self.path)
        #expect(response.status == 200)
        #expect(response["version"] == .string(TestGateway.catalog.version))
        #expect(response["products"] == .array(TestGateway.catalog.products.map(\.json)))
        #expect(response["products", "1", "retired"] == nil)
        #expect(response["products", "2", "retired"] == .object([:]))
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `are those of the key's app, its own before those of every app`() async throws {
        let game = TestGateway.bundle.rawValue
        let products = [
            Self.product("every"), Self.product("mine", of: game),
            Self.product("its", of: "com.example.other"),
        ]
        let gateway = TestGateway(catalog: Catalog(products: products))
        let mine: [JSONValue?] = [.string("every"), .string("mine")]
        #expect(try await Self.ids(gateway.get(Self.path)) == mine)
        #expect(try await Self.ids(gateway.get("\(Self.path)?bundleId=\(game)")) == mine)
        let other = try await gateway.get(
            "\(Self.path)?bundleId=com.example.other",
            key: TestGateway.otherKey
        )
        #expect(Self.ids(other) == [.string("every"), .string("its")])
    }

    @Test func `of another app, or of none, are refused`() async throws {
        let foreign = try await TestGateway().get("\(Self.path)?bundleId=com.example.other")
        #expect(foreign.status == 403)
        #expect(try await TestGateway().get(Self.path, key: nil).status == 401)
        for text in ["", "a%20b", "%00"] {
            try await TestGateway().refuses(naming: "bundleId") {
                try await $0.get("\(Self.path)?bundleId=\(text)")
            }
        }
    }

    @Test func `are sent again only when the catalog has changed`() async throws {
        let gateway = TestGateway()
        let tag = try #require(try await gateway.get(Self.path).headers[.eTag])
        #expect(tag == "\"\(TestGateway.catalog.version)\"")
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let response = try await Self.get(gateway, ifNoneMatch: known)
            #expect(response.status == 304, "\(known)")
            #expect(response.text.isEmpty && response.headers[.eTag] == tag)
        }
        for other in ["\"other\"", TestGateway.catalog.version, ""] {
            #expect(try await Self.get(gateway, ifNoneMatch: other).status == 200, "\(other)")
        }
        let changed = TestGateway(catalog: Catalog(products: [Self.product("new")]))
        #expect(try await Self.get(changed, ifNoneMatch: tag).status == 200)
    }

    @Test func `have no member that the description does not name`() async throws {
        var full = Self.product("full", of: "com.example.game")
        full.grants = [.init(entitlement: "coins", amount: 1, durationDays: 1)]
        full.retired = .undecided
        (full.subscriptionGroup, full.rank, full.limitPerBuyer) = ("g", 1, 1)
        (full.onSaleFrom, full.onSaleUntil) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 2))
        full.whenOwned = .park
        (full.onOtherLogin, full.referencePrice) = (.transfer, .init(amount: 1, currency: "USD"))
        (full.titles, full.metadata) = (["en": "x"], [:])
        let schemas = try #require(try await OpenAPIDocument()["components", "schemas"])
        let members = Set(Mirror(reflecting: full).children.compactMap(\.label))
        #expect(schemas[["Product", "properties"]]?.names == members && full.json.names == members)
        let grant = try #require(full.json[["grants", "0"]])
        #expect(schemas[["CatalogGrant", "properties"]]?.names == grant.names)
    }
}
