import Contracts
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    static func json(_ body: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        .json(bytes: try EventCoder.encoder().encode(body), status: status)
    }

    static func json(bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok) -> Response {
        content(ByteBuffer(bytes: bytes), type: "application/json", status: status)
    }

    static func content(
        _ bytes: ByteBuffer,
        type: String,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }
}
