import Contracts
import Domain
import Program
import Testing

@testable import Receipts

@Suite struct `the configuration of Receipts` {
    @Test func `takes each app's environments and sandbox policy`() throws {
        let json = """
            {"apps":[
              {"bundleId":"com.example.game","environments":["Sandbox"],"sandbox":{"grantTo":["alice"]},
               "keys":[{"id":"one","secret":"0123456789abcdef"}]},
              {"bundleId":"com.example.other","environments":["Production"],"appAppleId":1,"sandbox":"refuse",
               "keys":[{"id":"two","secret":"0123456789abcdeg"}]}
            ]}
            """
        let configuration = try ReceiptsConfiguration(try Configuration(json: json))
        #expect(
            configuration.policies == [
                Sample.app: AppPolicy(environments: [.sandbox], sandbox: .grantTo([Sample.alice])),
                Sample.otherApp: AppPolicy(
                    appAppleId: 1,
                    environments: [.production],
                    sandbox: .refuse
                ),
            ]
        )
    }

    @Test func `keeps proofs for as many days as it says`() throws {
        let app = #"{"bundleId":"com.example.game","keys":[{"id":"one","secret":"0123456789abcdef"}]}"#
        for (member, days) in [("", 400), (#""retention":{"proofDays":7},"#, 7)] {
            let configuration = try Configuration(json: #"{\#(member)"apps":[\#(app)]}"#)
            #expect(try ReceiptsConfiguration(configuration).retention == ProofRetention(days: days))
        }
    }
}
