import Contracts
import Domain
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Program
import TestKit
import Testing

@testable import Gateway

/// A gateway for two apps whose partitions are a `FakeCaller`, asked without sockets.
struct TestGateway: Sendable {
    static let key = "key-of-the-game-0123456789"
    static let sharedSecret = "0123456789abcdef0123456789abcdef"
    static let otherKey = "key-of-another-app-0123456789"
    static let partitions = 4
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "b1")
    /// What a phone sends.
    static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#

    /// Where what is asked under a key goes, or what is asked about b1.
    static func partition(_ service: ServiceName, _ key: PartitionKey? = nil) -> PartitionAddress {
        (key ?? .buyer(buyer, of: bundle)).address(in: service, of: partitions)
    }

    /// Of each role somebody, whose key is `key of` and the role.
    static let operators = OperatorRegister(
        OperatorRole.allCases.enumerated().map { number, role in
            Operator(
                id: OperatorID(random: UInt64(number + 1)),
                name: role.rawValue,
                role: role,
                key: "key of \(role.rawValue)",
                addedAt: Timestamp(milliseconds: 0)
            )
        }
    )

    let caller: FakeCaller
    private(set) var context: GatewayContext
    private var responder: RouterResponder<GatewayRequestContext>

    init(
        _ response: @escaping FakeCaller.Handler = { _, _ in nil },
        loadShedder: LoadShedder = LoadShedder(),
        isTestHome: Bool = false,
        catalog: Catalog = Self.catalog,
        now: Timestamp = Timestamp(milliseconds: 1_760_000_000_000),
        requestsPerSecond: Int? = nil,
        logSight: (@Sendable () -> LogSight?)? = nil,
        uptime: (@Sendable () -> Int64)? = nil
    ) {
        caller = FakeCaller(response)
        var configuration = Self.configuration(extraRoots: isTestHome ? ["root.der"] : [])
        configuration.apps[0].requestsPerSecond = requestsPerSecond
        var context = GatewayContext(configuration, catalog: { catalog }, caller: caller)
        context.loadShedder = loadShedder
        context.isTestHome = isTestHome
        context.operators = OperatorAuthentication(Self.operators)
        context.now = { now }
        context.logSight = logSight
        if let uptime { context.uptime = uptime }
        self.context = context
        responder = context.responder()
    }

    private static func configuration(extraRoots: [String]) -> Configuration {
        var app = Configuration.App(bundleId: bundle, keys: [.init(id: "backend", secret: key)])
        app.verifyReceipt = .init(sharedSecret: sharedSecret)
        app.phoneTokens = .init(keys: PhoneSigner.keys)
        var other = Configuration.App(
            bundleId: BundleID(unchecked: "com.example.other"),
            keys: [.init(id: "old", secret: "an-older-key-0123456789"), .init(id: "new", secret: otherKey)]
        )
        other.environments = [.production]
        other.phoneTokens = .init(keys: [PhoneSigner.keyOfOtherApp])
        var configuration = Configuration(apps: [app, other])
        configuration.partitions = partitions
        configuration.extraRoots = extraRoots
        return configuration
    }

    /// The same for phones, too; `jwks` is a file of further keys of the game's phones.
    func takingPhones(
        jwks: String? = nil,
        now: (@Sendable () -> Timestamp)? = nil
    ) async throws -> TestGateway {
        var gateway = self
        var apps = context.configuration.apps
        apps[0].phoneTokens?.jwks = jwks
        let phones = try await PhoneAuthentication(
            apps: apps,
            in: Home(root: "/nowhere"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        gateway.context.authentication.phones = phones
        if let now { gateway.context.now = now }
        gateway.responder = gateway.context.responder()
        return gateway
    }

    /// A product of which a buyer may pay for three, on sale for a second.
    private static var limited: Catalog.Product {
        var product = Catalog.Product(
            productId: ProductID(unchecked: "coins.sale"),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 100)]
        )
        product.limitPerBuyer = 3
        product.onSaleFrom = Timestamp(milliseconds: 1_760_000_000_000)
        product.onSaleUntil = Timestamp(milliseconds: 1_760_000_001_000)
        return product
    }

    static let catalog = Catalog(products: [
        limited,
        Catalog.Product(
            productId: ProductID(unchecked: "coins.100"),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 100)]
        ),
        Catalog.Product(
            productId: ProductID(unchecked: "coins.old"),
            type: .consumable,
            grants: [.init(entitlement: "coins", amount: 50)],
            retired: .undecided
        ),
    ])

    func get(_ uri: String, key: String? = TestGateway.key) async throws -> Response {
        try await send(.get, uri, key: key)
    }

    func post(
        _ uri: String,
        _ body: String,
        key: String? = TestGateway.key,
        headers: HTTPFields = [:]
    ) async throws -> Response {
        try await send(.post, uri, key: key, headers: headers, body: ByteBuffer(string: body))
    }

    /// Makes one order.
    func issue(_ body: String, idempotencyKey: String? = "k1") async throws -> Response {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await post("/v1/orders", body, headers: idempotencyKey.map { [name: $0] } ?? [:])
    }

    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        key: String? = TestGateway.key,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil
    ) async throws -> Response {
        var headers = headers
        if let key { headers[.authorization] = "Bearer \(key)" }
        return Response(try await responder.reply(to: method, uri, headers: headers, body: body))
    }

    /// Sends one request of an operator of this role to the listener for operations.
    func act(
        _ role: OperatorRole?,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        idempotencyKey: String? = "k1"
    ) async throws -> Response {
        var headers: HTTPFields = [:]
        if let role { headers[.authorization] = "Bearer key of \(role.rawValue)" }
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        headers[name] = idempotencyKey
        let bytes = body.map { ByteBuffer(string: $0) }
        let responder = context.operationsResponder()
        return Response(
            try await responder.reply(to: method, "/v1/admin" + path, headers: headers, body: bytes)
        )
    }

    /// Sends one request to the listener for operations.
    func getAsOperator(_ uri: String) async throws -> Response {
        Response(try await context.operationsResponder().reply(to: .get, uri))
    }

    /// Expects that a request is answered with a problem that names a value, and that no partition is asked.
    func refuses(
        _ status: Int = 422,
        naming field: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ send: (TestGateway) async throws -> Response
    ) async throws {
        let response = try await send(self)
        #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
        #expect(response.field == field, "\(response.text)", sourceLocation: sourceLocation)
        #expect(
            response.headers[.contentType] == "application/problem+json",
            sourceLocation: sourceLocation
        )
        #expect(caller.calls.isEmpty, sourceLocation: sourceLocation)
    }

    /// A response with its body read.
    struct Response: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        init(_ reply: HTTPReply) {
            status = reply.status
            headers = reply.headers
            text = reply.text
        }

        /// A member of the JSON, by its path.
        subscript(_ path: String...) -> JSONValue? { json?[path] }

        var json: JSONValue? {
            do { return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch { return nil }
        }

        /// The value that a problem names.
        var field: String? {
            if case .string(let field) = self["field"] { field } else { nil }
        }
    }
}
