import ArgumentParser
import Contracts
import Foundation
import TestKit
import Testing

@testable import Control
@testable import Program

@Suite struct `what counterfoil.json says of phones` {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let pem = #"-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n"#

    private static func file(_ phoneTokens: String, keySecret: String = "another-0123456789") -> String {
        let keys = #""keys":[{"id":"a","secret":"\#(keySecret)"}]"#
        return #"{"apps":[{"bundleId":"com.example.game",\#(keys),"phoneTokens":\#(phoneTokens)}]}"#
    }

    private static func key(_ members: String) -> String { file(#"{"keys":[{\#(members)}]}"#) }

    private static func secret(_ secret: String) -> String {
        key(#""id":"k","algorithm":"HS256","secret":"\#(secret)""#)
    }

    /// A text, the member that is named behind `apps[0].phoneTokens`, and what is reported of it.
    static let faults: [(String, String, String)] = [
        (file("{}"), ".keys", "names no key"), (file(#"{"keys":[]}"#), ".keys", "names no key"),
        (file("[]"), "", "must be an object"), (file(#"{"jwks":""}"#), ".jwks", "is empty or no path"),
        (file(#"{"jwks":"a","clockSlackSeconds":301}"#), ".clockSlackSeconds", "from 0 to 300"),
        (file(#"{"jwks":"a","requestsPerSecond":0}"#), ".requestsPerSecond", "from 1 to 10000"),
        (file(#"{"jwks":"a","ttl":1}"#), ".ttl", "is not a known member"),
        (
            secret(String(secret.dropLast())), ".keys[0].secret",
            "has 31 characters, but must have at least 32"
        ),
        (secret(secret + " "), ".keys[0].secret", "visible ASCII"),
        (key(#""id":"","algorithm":"HS256","secret":"\#(secret)""#), ".keys[0].id", "is empty; name the key"),
        (key(#""algorithm":"HS256","secret":"\#(secret)""#), ".keys[0].id", "is missing"),
        (key(#""id":"k","secret":"\#(secret)""#), ".keys[0].algorithm", "is missing"),
        (
            key(#""id":"k","algorithm":"none""#), ".keys[0].algorithm",
            #"write one of "EdDSA", "ES256", "HS256""#
        ),
        (key(#""id":"k","algorithm":"HS512","secret":"\#(secret)""#), ".keys[0].algorithm", "write one of"),
        (key(#""id":"k","algorithm":"HS256""#), ".keys[0].secret", "is missing"),
        (key(#""id":"k","algorithm":"ES256""#), ".keys[0].publicKey", "is missing"),
        (
            key(#""id":"k","algorithm":"HS256","secret":"\#(secret)","publicKey":"\#(pem)""#),
            ".keys[0].publicKey", "is not of HS256; remove it, and give secret"
        ),
        (
            key(#""id":"k","algorithm":"EdDSA","secret":"\#(secret)""#), ".keys[0].secret",
            "is not of EdDSA; remove it, and give publicKey"
        ),
        (key(#""id":"k","algorithm":"ES256","publicKey":"AAAA""#), ".keys[0].publicKey", "is no public key"),
        (
            key(#""id":"k","algorithm":"ES256","publicKey":"-----BEGIN PRIVATE KEY-----""#),
            ".keys[0].publicKey", "is a private key"
        ),
        (
            file(
                #"{"keys":[{"id":"k","algorithm":"HS256","secret":"\#(secret)"},"#
                    + #"{"id":"k","algorithm":"ES256","publicKey":"\#(pem)"}]}"#
            ), ".keys", "names one key id twice"
        ),
    ]

    @Test(arguments: faults)
    func `what is wrong is named in one line, without any secret`(
        text: String,
        member: String,
        says: String
    ) throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.member == "apps[0].phoneTokens" + member, "\(error)")
        #expect(error.problem.contains(says), "\(error)")
        #expect(!error.description.contains("\n") && error.exitCode == 2)
        #expect(!error.description.contains(Self.secret.dropLast()), "\(error)")
    }

    @Test func `no secret is that of two keys, and none is shown`() throws {
        let text = Self.file(
            #"{"keys":[{"id":"k","algorithm":"HS256","secret":"\#(Self.secret)"}]}"#,
            keySecret: Self.secret
        )
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.member == "apps" && error.problem.contains("to two keys"))
        #expect(!error.description.contains(Self.secret))
    }

    @Test func `what is left out has a default`() throws {
        let tokens = try #require(Configuration(json: Self.secret(Self.secret)).apps[0].phoneTokens)
        #expect(tokens.clockSlackSeconds == 30 && tokens.requestsPerSecond == 10 && tokens.jwks == nil)
        #expect(tokens.keys == [.init(id: "k", secret: Self.secret)])
        let files = try #require(Configuration(json: Self.file(#"{"jwks":"a"}"#)).apps[0].phoneTokens)
        #expect(files.keys.isEmpty && files.jwks == "a")
    }
}
