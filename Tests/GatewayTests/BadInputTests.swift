import Contracts
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

/// A door that takes a JSON body, with a body that it takes and what each member may be.
struct BodyDoor: CustomTestStringConvertible, Sendable {
    /// What a member's value must be.
    enum Kind {
        case text, wholeNumber, flag, object, textOrNumber
        /// Whatever it holds, it is taken, or counts as absent.
        case hint
    }

    struct Member: Sendable {
        let name: String
        let kind: Kind
        /// As JSON.
        let value: String
        var isRequired = false
        /// Whether any text is taken: it is a hint, or others judge it.
        var isFree = false

        static func required(_ name: String, _ value: String, isFree: Bool = false) -> Self {
            Self(name: name, kind: .text, value: value, isRequired: true, isFree: isFree)
        }
    }

    let method: HTTPRequest.Method
    let path: String
    let members: [Member]
    /// Whether members that this program does not know are ignored, because the sender may be newer.
    var takesUnknownMembers = false

    var testDescription: String { "\(method) \(path)" }

    /// The body with another value for a member, or without it where there is none.
    func body(_ name: String = "", _ value: String? = nil, and more: String = "") -> String {
        let written = members.compactMap { member in
            let value = member.name == name ? value : member.value
            return value.map { "\"\(member.name)\":\($0)" }
        }
        return "{" + (written + (more.isEmpty ? [] : [more])).joined(separator: ",") + "}"
    }

    func send(_ body: String, to gateway: TestGateway) async throws -> TestGateway.Response {
        try await send(Array(body.utf8), to: gateway)
    }

    func send(_ body: [UInt8], to gateway: TestGateway) async throws -> TestGateway.Response {
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        return try await gateway.send(method, path, headers: [key: "k"], body: ByteBuffer(bytes: body))
    }

    private static let app = [
        Member.required("bundleId", #""com.example.game""#), Member.required("buyerId", #""b1""#),
    ]
    private static let environment = Member(name: "environment", kind: .text, value: #""Sandbox""#)
    private static let metadata = Member(name: "metadata", kind: .object, value: #"{"a":[1,{"a":2}]}"#)
    private static let wallet = [
        Member.required("entitlement", #""coins""#),
        Member(name: "amount", kind: .wholeNumber, value: "30", isRequired: true),
        Member(name: "reason", kind: .text, value: #""sword""#), environment, metadata,
    ]

    static let all: [BodyDoor] = [
        BodyDoor(
            method: .post,
            path: "/v1/orders",
            members: app + [
                Member.required("productId", #""coins.100""#),
                Member(name: "quantity", kind: .wholeNumber, value: "2"),
                Member(name: "reference", kind: .text, value: #""A-1""#),
                Member(name: "onlyOne", kind: .flag, value: "true"), environment, metadata,
            ]
        ),
        BodyDoor(
            method: .post,
            path: "/v1/orders/\(FakeCaller.orderID)/close",
            members: [.required("reason", #""failed""#)]
        ),
        BodyDoor(
            method: .post,
            path: "/v1/orders/\(FakeCaller.orderID)/report",
            members: [
                .required("outcome", #""failed""#),
                Member(name: "errorDomain", kind: .text, value: #""SKErrorDomain""#),
                Member(name: "errorCode", kind: .textOrNumber, value: "2"),
            ]
        ),
        BodyDoor(
            method: .post,
            path: "/v1/receipts?wait=0",
            members: app + [
                Member.required("signedTransaction", #""e30.e30.AA""#, isFree: true),
                Member(name: "orderId", kind: .hint, value: #""o""#),
                Member(name: "intent", kind: .text, value: #""restore""#),
                Member(name: "purchasedBy", kind: .text, value: #""b2""#),
                Member(name: "deviceId", kind: .hint, value: #""d-1""#),
            ],
            takesUnknownMembers: true
        ),
        BodyDoor(
            method: .put,
            path: "/v1/buyers/b1",
            members: [.required("appAccountToken", #""7e3fb204-2d5f-4d4a-8d1e-4a4bfa4e9c11""#)]
        ),
        BodyDoor(
            method: .put,
            path: "/v1/buyers/b1/consent",
            members: [Member(name: "consumption", kind: .flag, value: "true", isRequired: true)]
        ),
        BodyDoor(method: .post, path: "/v1/buyers/b1/spend", members: wallet),
        BodyDoor(method: .post, path: "/v1/buyers/b1/credit", members: wallet),
        BodyDoor(
            method: .post,
            path: "/v1/apple/server-notifications",
            members: [.required("signedPayload", #""e30.e30.AA""#, isFree: true)],
            takesUnknownMembers: true
        ),
    ]
}

extension BodyDoor.Member {
    /// Values that are never taken, as JSON.
    var wrongValues: [String] {
        let texts = [#""x""#, #""""#]
        let numbers = ["0.5", "1e999", "-1e999", "123456789012345678901234567890"]
        let (arrays, objects) = (["[]", "[1]"], ["{}", #"{"a":1}"#])
        let long = "\"\(String(repeating: "x", count: 3_000))\""
        return switch kind {
        case .text: numbers + ["7", "true"] + arrays + objects + (isFree ? [] : [long, #""a\u0000b""#])
        case .wholeNumber: texts + numbers + ["0", "-1", "true"] + arrays + objects
        case .flag: texts + numbers + ["7"] + arrays + objects
        case .object: texts + numbers + ["7", "true"] + arrays + ["{\"a\":\(long)}"]
        case .textOrNumber: ["true", #""""#, long, #""a\u0000b""#] + arrays + objects
        case .hint: []
        }
    }
}

/// Every member of every body, in every wrong way.
@Suite struct `Bad input` {
    @Test func `has a door here for every route that takes a body`() {
        let doors = BodyDoor.all.map { door in "\(door.method) \(door.path.prefix { $0 != "?" })" }
        let routes = TestGateway().context.routes.filter { route in
            // A reversal says everything in its path; a log is a list, and has tests of its own.
            route.method != .get && !["/reverse", "/log"].contains { route.path.hasSuffix($0) }
        }
        for route in routes {
            #expect(
                doors.contains { door in
                    let parts = door.split(separator: " ")
                    return parts[0] == route.method.rawValue && route.matches(String(parts[1]))
                },
                "\(route.method) \(route.path)"
            )
        }
    }

    @Test(arguments: BodyDoor.all)
    func `starts from a body that is taken, also with null for what need not be there`(
        _ door: BodyDoor
    ) async throws {
        #expect(try await door.send(door.body(), to: TestGateway()).status < 300)
        for member in door.members where !member.isRequired {
            for value in [nil, "null"] {
                let response = try await door.send(door.body(member.name, value), to: TestGateway())
                #expect(response.status < 300, "\(member.name): \(response.text)")
            }
        }
    }

    @Test(arguments: BodyDoor.all)
    func `that misses a member, or has null for it, is 422 and names it, and nobody is asked`(
        _ door: BodyDoor
    ) async throws {
        for member in door.members where member.isRequired {
            for value in [nil, "null"] {
                try await TestGateway().refuses(naming: member.name) {
                    try await door.send(door.body(member.name, value), to: $0)
                }
            }
        }
    }

    @Test(arguments: BodyDoor.all)
    func `of the wrong type, too long, or a number that nobody can count is 422 and names its member`(
        _ door: BodyDoor
    ) async throws {
        for member in door.members {
            for value in member.wrongValues {
                let gateway = TestGateway()
                let response = try await door.send(door.body(member.name, value), to: gateway)
                let field = response.field ?? ""
                #expect(response.status == 422, "\(member.name) \(value.prefix(40)): \(response.text)")
                #expect(
                    field == member.name || field.hasPrefix(member.name + "."),
                    "\(member.name) \(value.prefix(40)): \(response.text)"
                )
                #expect(response.headers[.contentType] == "application/problem+json")
                #expect(gateway.caller.calls.isEmpty)
            }
        }
    }

    @Test(arguments: BodyDoor.all)
    func `that says something twice is 422 and names it`(_ door: BodyDoor) async throws {
        for member in door.members {
            let first = String(member.name.utf8.first ?? 0, radix: 16)
            let twice = [
                "\"\(member.name)\":\(member.value)",
                "\"\\u00\(first)\(member.name.dropFirst())\":\(member.value)",
            ]
            for text in twice {
                try await TestGateway().refuses(naming: member.name) {
                    try await door.send(door.body(and: text), to: $0)
                }
            }
        }
    }

    @Test(arguments: BodyDoor.all)
    func `with a member that is not known is 422 and names it, but for proofs and notifications`(
        _ door: BodyDoor
    ) async throws {
        let long = String(repeating: "n", count: 300)
        for (name, shown) in [("enviroment", "enviroment"), ("", ""), (long, String(long.prefix(128)))] {
            let body = door.body(and: "\"\(name)\":{\"buyerId\":1}")
            if door.takesUnknownMembers {
                #expect(try await door.send(body, to: TestGateway()).status < 300)
            } else {
                try await TestGateway().refuses(naming: shown) { try await door.send(body, to: $0) }
            }
        }
        let many = (0..<100).map { "\"m\($0)\":1" }.joined(separator: ",")
        let response = try await door.send(door.body(and: many), to: TestGateway())
        #expect(door.takesUnknownMembers ? response.status < 300 : response.field == "m0", "\(response.text)")
    }

    @Test(arguments: BodyDoor.all)
    func `that is no UTF-8, or no JSON such as NaN, is 400, or 422 and named`(_ door: BodyDoor) async throws {
        for member in door.members {
            for value in ["NaN", "Infinity", "-Infinity", "+1", ".5", "01", "0x1", "'x'", "undefined"] {
                let gateway = TestGateway()
                let response = try await door.send(door.body(member.name, value), to: gateway)
                let isNamed = response.status == 422 && response.field == member.name
                // What nobody reads is not judged either.
                let isIgnored = member.kind == .hint && response.status < 300
                #expect(
                    response.status == 400 || isNamed || isIgnored,
                    "\(member.name) \(value): \(response.text)"
                )
                #expect(gateway.caller.calls.isEmpty || isIgnored)
            }
            for bytes in [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
                let gateway = TestGateway()
                let parts = door.body(member.name, "\"%\"").split(separator: "%", maxSplits: 1)
                let body = Array(parts[0].utf8) + bytes + Array(parts[1].utf8)
                #expect(try await door.send(body, to: gateway).status == 400, "\(member.name)")
                #expect(gateway.caller.calls.isEmpty)
            }
        }
    }

    /// A path for each route of an app's key that takes no body.
    private static let pathsWithoutBody = [
        "/v1/orders?reference=A-1", "/v1/orders/\(FakeCaller.orderID)",
        "/v1/receipts/\(FakeCaller.receiptID)", "/v1/products", "/v1/buyers/b1/orders",
        "/v1/buyers/b1/entitlements", "/v1/buyers/b1/subscriptions", "/v1/buyers/b1/ledger",
        "/v1/buyers/b1/spends/\(FakeCaller.entryID)/reverse",
    ]

    @Test func `has a path here for every route of an app's key that takes no body`() {
        let routes = TestGateway().context.routes.filter { route in
            route.path.hasPrefix("/v1/") && (route.method == .get || route.path.hasSuffix("/reverse"))
        }
        for route in routes {
            #expect(
                Self.pathsWithoutBody.contains { path in route.matches(String(path.prefix { $0 != "?" })) },
                "\(route.method) \(route.path)"
            )
        }
    }

    /// With no room for a request.
    private static func full() -> TestGateway {
        let none = ConcurrencyLimit(maximumRequests: 0, maximumBytes: 1 << 20)
        return TestGateway(loadShedder: LoadShedder(purchases: none, serverNotifications: none))
    }

    /// With partitions that have no room.
    private static func busy() -> TestGateway {
        TestGateway { _, _ throws(Problem) in throw Problem(RequestRefusal(.busy, "full")) }
    }

    @Test(arguments: pathsWithoutBody)
    func `when too much is in flight is 503 with Retry-After where no body is taken, too, never 4xx`(
        _ path: String
    ) async throws {
        func send(to gateway: TestGateway) async throws -> TestGateway.Response {
            guard path.hasSuffix("/reverse") else { return try await gateway.get(path) }
            return try await gateway.spend("", path)
        }
        let (full, busy) = (Self.full(), Self.busy())
        var responses = [try await send(to: full)]
        #expect(full.caller.calls.isEmpty)
        // Nobody is asked what the catalog says.
        if path != "/v1/products" {
            responses.append(try await send(to: busy))
            #expect(!busy.caller.calls.isEmpty)
        }
        for response in responses {
            #expect(response.status == 503 && response.headers[.retryAfter] == "1", "\(response.text)")
        }
    }

    @Test(arguments: BodyDoor.all)
    func `when too much is in flight is 503 with Retry-After at every door, never 4xx`(
        _ door: BodyDoor
    ) async throws {
        let full = Self.full()
        for gateway in [full, Self.busy()] {
            let response = try await door.send(door.body(), to: gateway)
            #expect(response.status == 503 && response.headers[.retryAfter] == "1", "\(response.text)")
        }
        #expect(full.caller.calls.isEmpty)
    }
}
