import Contracts
import Foundation
import Testing

@testable import Program

@Suite struct `what counterfoil.json says of Apple` {
    private static let key = #"{"issuerId":"i-1","keyId":"K1","privateKey":"AuthKey_K1.p8"}"#

    private static func file(_ app: String = "", _ members: String = "") -> String {
        #"""
        {"apps":[{"bundleId":"com.example.game","keys":[{"id":"a","secret":"0123456789abcdef"}]\#(app)}]\#(members)}
        """#
    }

    @Test func `when it says nothing, Apple is asked nothing, and every ten minutes`() throws {
        let configuration = try Configuration(json: Self.file())
        let app = try #require(configuration.apps.first)
        #expect(app.appStoreServer == nil)
        #expect(app.verifyReceipt == nil)
        #expect(configuration.appStore == nil)
        #expect(configuration.recovery == Configuration.Recovery(everyMinutes: 10))
        #expect(configuration.retention == Configuration.Retention(proofDays: 400))
        #expect(try Configuration(json: Self.file("", #","recovery":{}"#)).recovery.everyMinutes == 10)
    }

    @Test func `everything is understood, and is the same when it was written and read again`() throws {
        let key = Self.key.dropLast() + #","callsPerSecond":7}"#
        let secret = "0123456789abcdef0123456789ABCDEF"
        let text = Self.file(
            #","appStoreServer":\#(key),"verifyReceipt":{"sharedSecret":"\#(secret)"}"#,
            #","recovery":{"everyMinutes":1440},"retention":{"proofDays":30},"appStore":"http://127.0.0.1:8090""#
        )
        let configuration = try Configuration(json: text, isTest: true)
        let app = try #require(configuration.apps.first)
        #expect(
            app.appStoreServer
                == .init(issuerId: "i-1", keyId: "K1", privateKey: "AuthKey_K1.p8", callsPerSecond: 7)
        )
        #expect(app.verifyReceipt == .init(sharedSecret: secret))
        #expect(configuration.recovery.everyMinutes == 1_440)
        #expect(configuration.retention.proofDays == 30)
        #expect(configuration.appStore == "http://127.0.0.1:8090")
        let written = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        #expect(try Configuration(json: written, isTest: true) == configuration)
    }

    @Test(arguments: ["x", String(repeating: "!", count: 128)])
    func `a shared secret is Apple's, so it may be short`(_ secret: String) throws {
        let text = Self.file(#","verifyReceipt":{"sharedSecret":"\#(secret)"}"#)
        #expect(try Configuration(json: text).apps.first?.verifyReceipt?.sharedSecret == secret)
        #expect(
            try Configuration(json: Self.file(#","verifyReceipt":{}"#)).apps.first?.verifyReceipt == .init()
        )
    }

    @Test(arguments: [("1", "1"), ("1000", "1440")])
    func `limits are inside`(_ calls: String, _ minutes: String) throws {
        let key = Self.key.dropLast() + #","callsPerSecond":\#(calls)}"#
        let text = Self.file(#","appStoreServer":\#(key)"#, #","recovery":{"everyMinutes":\#(minutes)}"#)
        #expect(throws: Never.self) { try Configuration(json: text) }
    }

    private static func serverFault(_ member: String, _ value: String, says: String) -> Fault {
        let members = ["issuerId": #""i-1""#, "keyId": #""K1""#, "privateKey": #""k.p8""#]
            .merging([member: value]) { $1 }
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return Fault(
            file(#","appStoreServer":{\#(text.joined(separator: ","))}"#),
            at: "apps[0].appStoreServer.\(member)",
            says: says
        )
    }

    private static func storeFault(_ value: String, says: String) -> Fault {
        Fault(file("", #","appStore":\#(value)"#), at: "appStore", says: says)
    }

    struct Fault: Sendable {
        let text: String
        let member: String
        let says: String

        init(_ text: String, at member: String, says: String) {
            self.text = text
            self.member = member
            self.says = says
        }
    }

    static let faults: [Fault] = [
        serverFault("privateKey", #""""#, says: "name the file of the key"),
        serverFault("privateKey", "7", says: "must be a string"),
        serverFault("issuerId", #""""#, says: "is empty; write the issuer id"),
        serverFault("keyId", #""""#, says: "is empty; write the id"),
        serverFault("keyId", #""K 1""#, says: "without spaces"),
        serverFault("callsPerSecond", "0", says: "must be from 1 to 1000"),
        serverFault("callsPerSecond", "1001", says: "must be from 1 to 1000"),
        serverFault("callsPerSecond", "1.5", says: "must be a whole number"),
        serverFault("pem", #""x""#, says: "is not a known member; remove it"),
        Fault(
            file(#","appStoreServer":{"issuerId":"i","keyId":"K"}"#),
            at: "apps[0].appStoreServer.privateKey",
            says: "is missing; add it"
        ),
        Fault(file(#","appStoreServer":null"#), at: "apps[0].appStoreServer", says: "must be an object"),
        Fault(file(#","verifyReceipt":true"#), at: "apps[0].verifyReceipt", says: "must be an object"),
        Fault(
            file(#","verifyReceipt":{"password":"x"}"#),
            at: "apps[0].verifyReceipt.password",
            says: "is not a known member"
        ),
        Fault(
            file(#","verifyReceipt":{"sharedSecret":""}"#),
            at: "apps[0].verifyReceipt.sharedSecret",
            says: "is empty"
        ),
        Fault(
            file(#","verifyReceipt":{"sharedSecret":"a b"}"#),
            at: "apps[0].verifyReceipt.sharedSecret",
            says: "visible ASCII"
        ),
        Fault(
            file(#","verifyReceipt":{"sharedSecret":"\#(String(repeating: "x", count: 129))"}"#),
            at: "apps[0].verifyReceipt.sharedSecret",
            says: "1 to 128"
        ),
        Fault(
            file("", #","recovery":{"everyMinutes":0}"#),
            at: "recovery.everyMinutes",
            says: "from 1 to 1440"
        ),
        Fault(
            file("", #","recovery":{"everyMinutes":1441}"#),
            at: "recovery.everyMinutes",
            says: "from 1 to 1440"
        ),
        Fault(
            file("", #","retention":{"proofDays":0}"#),
            at: "retention.proofDays",
            says: "from 1 to 36500"
        ),
        Fault(file("", #","recovery":{"every":1}"#), at: "recovery.every", says: "is not a known member"),
        storeFault("7", says: "must be a string"), storeFault(#""localhost:8090""#, says: "is no URL"),
        storeFault(#""ftp://localhost""#, says: "is no URL"), storeFault(#""http://""#, says: "is no URL"),
        storeFault(#""http://localhost?a=1""#, says: "is no URL"),
        storeFault(#""http://127.0.0.1:8090/""#, says: "ends with a slash"),
    ]

    @Test(arguments: faults) func `what is wrong is named in one line, and what to do`(fault: Fault) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(json: fault.text, isTest: true)
        }
        #expect(error.member == fault.member)
        #expect(error.problem.contains(fault.says), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test func `a played App Store is accepted in a test home only`() throws {
        let text = Self.file("", #","appStore":"http://127.0.0.1:8090""#)
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.member == "appStore")
        #expect(error.problem.contains("init --test"))
    }

    @Test func `the shared secret is never part of what is said`() throws {
        let text = Self.file(#","verifyReceipt":{"sharedSecret":"hush hush"}"#)
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(!error.description.contains("hush"))
    }
}
