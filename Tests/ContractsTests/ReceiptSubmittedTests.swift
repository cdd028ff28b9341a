import Contracts
import Foundation
import Testing

/// The golden file has a proof that is stored.
@Suite struct `The reply to a submission` {
    @Test func `Names the buyer's partition when nothing is stored, in both ways of writing`() throws {
        let reply = ReceiptSubmittedV1.askBuyersPartition
        let text = Array(#"{"next":"buyersPartition"}"#.utf8)
        #expect(try EventEncoder().general(reply) == text)
        #expect(EventEncoder().direct(reply) == text)
        #expect(try JSONDecoder().decode(ReceiptSubmittedV1.self, from: Data(text)) == reply)
        #expect(text.direct == reply)
    }

    @Test(arguments: ["{}", #"{"next":"nobody"}"#, #"{"receiptId":null}"#])
    func `Is refused if it says neither what is stored nor who is asked next`(text: String) {
        let bytes = Array(text.utf8)
        #expect(bytes.direct == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ReceiptSubmittedV1.self, from: Data(bytes))
        }
    }
}

extension [UInt8] {
    fileprivate var direct: ReceiptSubmittedV1? {
        withUnsafeBufferPointer { EventDecoder.direct(ReceiptSubmittedV1.self, from: $0) }
    }
}
