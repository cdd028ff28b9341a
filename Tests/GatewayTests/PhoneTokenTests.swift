import Contracts
import Delivery
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Program
import Testing

@testable import Gateway

@Suite struct `Tokens of phones` {
    /// A token that is not taken, and the code of the answer.
    struct Bad: Sendable, CustomStringConvertible {
        let description: String
        let code: TokenFault
        let token: String
    }

    private static let now: Int64 = 1_760_000_000

    private static func claiming(_ name: String, _ value: JSONValue) -> String {
        PhoneSigner.token(claims: [name: value])
    }

    private static func unsigned(_ token: String) -> String {
        token.split(separator: ".").prefix(2).joined(separator: ".") + "."
    }

    /// With another character in the middle of its signature.
    private static func forged(_ token: String) -> String {
        var characters = Array(token)
        let middle = characters.count - 20
        characters[middle] = characters[middle] == "A" ? "B" : "A"
        return String(characters)
    }

    static let bad: [Bad] = [
        Bad(description: "expired", code: .tokenExpired, token: claiming("exp", .integer(now - 31))),
        Bad(description: "without end", code: .tokenMalformed, token: claiming("exp", .null)),
        Bad(description: "ends in words", code: .tokenMalformed, token: claiming("exp", .string("2099"))),
        Bad(
            description: "for two days",
            code: .tokenTooLong,
            token: claiming("exp", .integer(now + 172_800))
        ),
        Bad(description: "in ms", code: .tokenTooLong, token: claiming("exp", .integer(now * 1_000))),
        Bad(description: "without bounds", code: .tokenTooLong, token: claiming("exp", .number(1e300))),
        Bad(description: "of tomorrow", code: .tokenNotYetValid, token: claiming("nbf", .integer(now + 31))),
        Bad(description: "from some day", code: .tokenMalformed, token: claiming("nbf", .string("soon"))),
        Bad(description: "of nobody", code: .tokenMalformed, token: claiming("sub", .null)),
        Bad(description: "of no buyer", code: .tokenBuyer, token: claiming("sub", .string("a\nb"))),
        Bad(description: "of no app", code: .tokenOfUnknownApp, token: claiming("aud", .null)),
        Bad(
            description: "of two apps",
            code: .tokenOfUnknownApp,
            token: claiming("aud", .array([.string("com.example.game"), .string("com.example.other")]))
        ),
        Bad(
            description: "of a strange app",
            code: .tokenOfUnknownApp,
            token: claiming("aud", .string("x.y"))
        ),
        Bad(
            description: "of another app's key",
            code: .tokenKeyUnknown,
            token: PhoneSigner.token(
                header: ["kid": .string("other")],
                secret: PhoneSigner.keyOfOtherApp.secret ?? ""
            )
        ),
        Bad(
            description: "of the game's key for another app",
            code: .tokenKeyUnknown,
            token: claiming("aud", .string("com.example.other"))
        ),
        Bad(
            description: "without a key's name",
            code: .tokenMalformed,
            token: PhoneSigner.token(header: ["kid": .null])
        ),
        Bad(
            description: "of an unknown key",
            code: .tokenKeyUnknown,
            token: PhoneSigner.token(header: ["kid": .string("x")])
        ),
        Bad(
            description: "none",
            code: .tokenAlgorithm,
            token: unsigned(PhoneSigner.token(header: ["alg": .string("none")]))
        ),
        Bad(description: "unsigned", code: .tokenSignature, token: unsigned(PhoneSigner.token())),
        Bad(
            description: "of another algorithm than its key",
            code: .tokenAlgorithm,
            token: PhoneSigner.token(header: ["kid": .string("es")])
        ),
        Bad(
            description: "HS256 with a public key as its secret",
            code: .tokenAlgorithm,
            token: PhoneSigner.token(
                header: ["kid": .string("ed")],
                secret: PhoneSigner.keys[2].publicKey ?? ""
            )
        ),
        Bad(
            description: "HS256 said to be EdDSA",
            code: .tokenSignature,
            token: PhoneSigner.token(header: ["kid": .string("ed"), "alg": .string("EdDSA")])
        ),
        Bad(
            description: "HS256 said to be ES256",
            code: .tokenSignature,
            token: PhoneSigner.token(header: ["kid": .string("es"), "alg": .string("ES256")])
        ),
        Bad(
            description: "with another secret",
            code: .tokenSignature,
            token: PhoneSigner.token(secret: PhoneSigner.secret + "x")
        ),
        Bad(description: "forged", code: .tokenSignature, token: forged(PhoneSigner.token())),
        Bad(
            description: "critical",
            code: .tokenMalformed,
            token: PhoneSigner.token(header: ["crit": .array([.string("b64")])])
        ),
        Bad(
            description: "huge",
            code: .tokenTooLarge,
            token: claiming("x", .string(String(repeating: "x", count: 5_000)))
        ),
        Bad(description: "dots", code: .tokenMalformed, token: ".."),
        Bad(description: "no base64", code: .tokenMalformed, token: "a!.b!.c!"),
        Bad(description: "no objects", code: .tokenMalformed, token: "W10.W10.W10"),
    ]

    @Test(arguments: bad)
    func `a token that is not in order is 401 with a code, and nobody is asked`(_ bad: Bad) async throws {
        let gateway = try await TestGateway().takingPhones()
        for _ in 0..<2 {
            let response = try await gateway.get("/v1/buyers/b1/entitlements", key: bad.token)
            #expect(response.status == 401, "\(bad): \(response.text)")
            #expect(response["code"] == .string(bad.code.rawValue), "\(bad): \(response.text)")
            #expect(response.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
        }
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: ["hs", "es", "ed"])
    func `a token of each algorithm is taken`(_ key: String) async throws {
        let gateway = try await TestGateway().takingPhones()
        let token = try await PhoneSigner.token(by: key)
        for _ in 0..<2 {
            let response = try await gateway.get("/v1/buyers/b1/entitlements", key: token)
            #expect(response.status == 200, "\(response.text)")
        }
    }

    @Test func `clocks may differ by the slack, and aud may be an array of one`() async throws {
        let gateway = try await TestGateway().takingPhones()
        let tokens = [
            Self.claiming("exp", .integer(Self.now - 29)), Self.claiming("nbf", .integer(Self.now + 30)),
            Self.claiming("exp", .integer(Self.now + 86_430)), Self.claiming("exp", .number(1_760_000_000.5)),
            Self.claiming("aud", .array([.string("com.example.game")])),
        ]
        for token in tokens {
            #expect(try await gateway.get("/v1/products", key: token).status == 200)
        }
    }

    @Test func `a token that was taken before expires all the same`() async throws {
        let now = NIOLockedValueBox(Timestamp(milliseconds: Self.now * 1_000))
        let gateway = try await TestGateway().takingPhones(now: { now.withLockedValue { $0 } })
        let token = PhoneSigner.token()
        #expect(try await gateway.get("/v1/products", key: token).status == 200)
        now.withLockedValue { $0 = Timestamp(milliseconds: (Self.now + 629) * 1_000) }
        #expect(try await gateway.get("/v1/products", key: token).status == 200)
        now.withLockedValue { $0 = Timestamp(milliseconds: (Self.now + 630) * 1_000) }
        let late = try await gateway.get("/v1/products", key: token)
        #expect(late.status == 401 && late["code"] == .string("tokenExpired"))
    }

    @Test func `without phoneTokens no token is taken, and a key with dots is still a key`() async throws {
        let response = try await TestGateway().get("/v1/products", key: PhoneSigner.token())
        #expect(response.status == 401 && response["code"] == .string("tokenOfUnknownApp"))
        var app = Configuration.App(
            bundleId: TestGateway.bundle,
            keys: [.init(id: "a", secret: "a.key.with.dots-0123")]
        )
        app.keys.append(.init(id: "b", secret: "a.key.of-2-dots-0123"))
        let authentication = Authentication(apps: [app])
        let time = ClockReading(now: Timestamp(milliseconds: 0), uptime: 0)
        let headers: HTTPFields = [.authorization: "Bearer a.key.of-2-dots-0123"]
        let caller = try await authentication.caller(headers) { time }
        #expect(caller.onlyBuyer == nil && caller.app.bundleId == TestGateway.bundle)
    }
}
